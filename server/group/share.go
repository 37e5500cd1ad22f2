package group

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/tree"
)

// Share is the invitation of a group into another group or a project. What it grants is in
// tree/grant.go.
type Share struct {
	ID int64 `db:"id,auto"`
	db.Container
	GroupID     int64     `db:"group_id"`     // the invited group
	GroupAccess int       `db:"group_access"` // the highest level that its members have by the share
	ExpiresAt   *db.Date  `db:"expires_at"`   // the first day on which it no longer counts
	CreatedAt   time.Time `db:"created_at,auto"`

	GroupName     string `db:"group_name,auto"`
	GroupFullPath string `db:"group_full_path,auto"`
	Seen          bool   `db:"seen,auto"` // the viewer may know of the invited group and its members
}

// NewShare returns a share of the source with a group that is not stored yet.
func NewShare(s tree.Source, group tree.Group, level int) Share {
	return Share{Container: s.Container(), GroupID: group.ID, GroupAccess: level}
}

var selectShares = `
	select s.id, s.namespace_id, s.project_id, s.group_id, s.group_access, s.expires_at, s.created_at,
	       i.name as group_name, i.full_path as group_full_path, ` + tree.Seen + ` as seen
	from shares s join namespaces i on i.id = s.group_id
	where ` + tree.LastingShare

// groupShares selects the shares of one group, in the order of their creation.
var groupShares = selectShares + ` and s.namespace_id = @group order by s.id`

// ProjectShares returns the shares of projects by project id, in one query.
func ProjectShares(
	ctx context.Context, s *db.Store, projects []tree.Project, v tree.Viewer,
) (map[int64][]Share, error) {
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

// findShare returns the share of a source with a group, or a not-found fault.
func findShare(ctx context.Context, s *db.Store, src tree.Source, groupID int64) (Share, error) {
	w := db.NewWhere(pgx.NamedArgs{"viewer": int64(0), "all": true})
	w.And(`s.group_id = @group`, groupID)
	src.Container().Within(w, "s")
	return db.One[Share](ctx, s, "Group Link", `select s.* from (`+selectShares+`) s`+w.String(), w.Args)
}

// InsertShare stores a share, in the place of an expired one with the same group, and returns its
// id. If the group is invited already it is a conflict.
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

// removeShare deletes a share.
func removeShare(ctx context.Context, s *db.Store, id int64) error {
	return s.Exec(ctx, `delete from shares where id = @id`, pgx.NamedArgs{"id": id})
}

// sharingRules are the settings of the groups around a source that restrict shares.
type sharingRules struct {
	Locked bool `db:"locked"` // projects cannot be shared
	Inside bool `db:"inside"` // only groups of the same top-level group can be invited
}

// findSharingRules reads the settings of the groups around a source.
func findSharingRules(ctx context.Context, s *db.Store, src tree.Source) (sharingRules, error) {
	return db.One[sharingRules](ctx, s, "", `
		select coalesce(bool_or(n.settings ->> 'share_with_group_lock' = 'true'), false) as locked,
		       coalesce(bool_or(n.parent_id is null
		         and n.settings ->> 'prevent_sharing_groups_outside_hierarchy' = 'true'), false) as inside
		from namespaces n where n.id = any(@namespaces)`, pgx.NamedArgs{"namespaces": src.Namespaces})
}

// CreateShare invites a group, whose members then have the role here, or their own if that is lower
// (spec 2 §4.5, gaps §3.2 and §4.2). It returns the id of the share. The caller checks that r.By
// may see the group.
func CreateShare(ctx context.Context, st *db.Store, r Roster, group tree.Group, role Role) (int64, error) {
	r, err := r.hold(ctx, st)
	if err != nil {
		return 0, err
	}
	r.Minimal = false // minimal access cannot be shared
	if err := r.checkAs("group_access", role); err != nil {
		return 0, err
	}
	rules, err := findSharingRules(ctx, st, r.Source)
	if err != nil {
		return 0, err
	}
	if err := r.checkShare(group, rules); err != nil {
		return 0, err
	}
	share := NewShare(r.Source, group, role.Level)
	share.ExpiresAt = role.ExpiresAt
	return InsertShare(ctx, st, share)
}

// checkShare returns a fault if a group cannot be invited.
func (r Roster) checkShare(group tree.Group, rules sharingRules) error {
	switch {
	case rules.Locked && r.Source.InProject():
		return fault.BadRequest("The project sharing with group is disabled").In(fault.Text)
	case rules.Inside && group.TraversalIDs[0] != r.Source.Root():
		return fault.NotFound("404 Not Found - the top-level group has prevent_sharing_groups_outside_hierarchy on").In(
			fault.Text,
		)
	case r.Source.Around(group.ID):
		return fault.Conflict("Project cannot be shared with the group it is in or one of its ancestors.")
	case r.Source.IsGroup(group.ID):
		return fault.Conflict("Group cannot be shared with itself.")
	}
	return nil
}

// DeleteShare withdraws the invitation of a group and emits AccessLost. It fails if r.By could not
// grant its level.
func DeleteShare(ctx context.Context, st *db.Store, r Roster, groupID int64) error {
	share, err := findShare(ctx, st, r.Source, groupID)
	if err == nil {
		r, err = r.hold(ctx, st)
	}
	if err != nil {
		return err
	}
	if !policy.MayGrant(r.By, policy.Level(share.GroupAccess)) {
		return fault.Forbidden("group_access is above your own")
	}
	return st.Tx(ctx, func(st *db.Store) error {
		if err := removeShare(ctx, st, share.ID); err != nil {
			return err
		}
		return event.Emit(ctx, st, AccessLost{Source: r.Source})
	})
}
