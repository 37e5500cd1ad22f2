package group

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// Share is the invitation of a group into another group or into a project: what it gives is in grant.go.
type Share struct {
	ID int64 `db:"id,auto"`
	db.Container
	GroupID     int64     `db:"group_id"`     // who is invited
	GroupAccess int       `db:"group_access"` // the highest level that its members have by the share
	ExpiresAt   *db.Date  `db:"expires_at"`   // the first day on which it no longer counts
	CreatedAt   time.Time `db:"created_at,auto"`

	GroupName     string `db:"group_name,auto"`
	GroupFullPath string `db:"group_full_path,auto"`
	Seen          bool   `db:"seen,auto"` // the viewer may know of the invited group and its members
}

// NewShare is a share of the source with a group.
func NewShare(s tree.Source, group tree.Group, level int) Share {
	return Share{Container: s.Container(), GroupID: group.ID, GroupAccess: level}
}

var selectShares = `
	select s.id, s.namespace_id, s.project_id, s.group_id, s.group_access, s.expires_at, s.created_at,
	       i.name as group_name, i.full_path as group_full_path, ` + tree.Seen + ` as seen
	from shares s join namespaces i on i.id = s.group_id
	where ` + tree.LastingShare

// groupShares are those of one group, in the order of the invitations.
var groupShares = selectShares + ` and s.namespace_id = @group order by s.id`

// ProjectShares finds whom each of the projects is shared with, by id: one query, for a whole page.
func ProjectShares(ctx context.Context, s *db.Store, projects []tree.Project, v tree.Viewer) (map[int64][]Share, error) {
	ids := make([]int64, len(projects))
	for i, p := range projects {
		ids[i] = p.ID
	}
	list, err := db.Many[Share](ctx, s, selectShares+` and s.project_id = any(@ids) order by s.id`,
		pgx.NamedArgs{"ids": ids, "viewer": v.UserID, "all": v.All})
	shares := map[int64][]Share{}
	for _, share := range list {
		shares[*share.ProjectID] = append(shares[*share.ProjectID], share)
	}
	return shares, err
}

// FindShare is the one of a source with a group.
func FindShare(ctx context.Context, s *db.Store, src tree.Source, groupID int64) (Share, error) {
	w := db.NewWhere(pgx.NamedArgs{"viewer": int64(0), "all": true})
	w.And(true, `s.group_id = @group`, groupID)
	src.Container().Of(w, "s")
	return db.One[Share](ctx, s, "Group Link", `select s.* from (`+selectShares+`) s`+w.String(), w.Args)
}

// InsertShare stores a share and returns its id; an expired one with the same group is replaced. One that there is already
// is a conflict.
func InsertShare(ctx context.Context, s *db.Store, share Share) (int64, error) {
	source, conflict := "namespace_id", "shares_namespace_id_key"
	if share.ProjectID != nil {
		source, conflict = "project_id", "shares_project_id_key"
	}
	_, args := db.Columns(share)
	made, err := db.One[struct {
		ID int64 `db:"id"`
	}](ctx, s, "", `
		insert into shares as s (namespace_id, project_id, group_id, group_access, expires_at)
		values (@namespace_id, @project_id, @group_id, @group_access, @expires_at)
		on conflict (`+source+`, group_id) do update
		set (group_access, expires_at, created_at, updated_at) =
		    (excluded.group_access, excluded.expires_at, excluded.created_at, excluded.updated_at)
		where not `+tree.LastingShare+`
		returning s.id`, args)
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = fault.Conflict(Refusals[conflict].Conflict)
	}
	return made.ID, err
}

// removeShare ends a share.
func removeShare(ctx context.Context, s *db.Store, id int64) error {
	return s.Exec(ctx, `delete from shares where id = @id`, pgx.NamedArgs{"id": id})
}

// Sharing is what keeps a source from being shared.
type Sharing struct {
	Locked bool `db:"locked"` // a group around it keeps projects from being shared at all
	Inside bool `db:"inside"` // the group at the top keeps shares within its hierarchy
}

// FindSharing reads what the groups around a source say about shares.
func FindSharing(ctx context.Context, s *db.Store, src tree.Source) (Sharing, error) {
	return db.One[Sharing](ctx, s, "", `
		select coalesce(bool_or(n.settings ->> 'share_with_group_lock' = 'true'), false) as locked,
		       coalesce(bool_or(n.parent_id is null and n.settings ->> 'prevent_sharing_groups_outside_hierarchy' = 'true'), false) as inside
		from namespaces n where n.id = any(@namespaces)`, pgx.NamedArgs{"namespaces": src.Namespaces})
}
