package tree

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// Group is a row of namespaces: a group, or the personal namespace of a user (Kind says which),
// which differs in having an owner instead of settings that matter.
type Group struct {
	ID               int64             `db:"id,auto"`
	Kind             string            `db:"kind"` // group, user
	ParentID         *int64            `db:"parent_id"`
	OwnerID          *int64            `db:"owner_id"`
	Name             string            `db:"name"`
	Path             string            `db:"path"`
	FullName         string            `db:"full_name"`     // "Acme / Web"
	FullPath         string            `db:"full_path"`     // "acme/web"
	TraversalIDs     []int64           `db:"traversal_ids"` // the ancestors and itself, root first
	Visibility       db.Visibility     `db:"visibility"`
	Description      string            `db:"description"`
	Avatar           *string           `db:"avatar"`
	Settings         GroupSettings     `db:"settings"`
	CustomAttributes map[string]string `db:"custom_attributes"`
	CreatorID        *int64            `db:"creator_id"`
	CreatedAt        time.Time         `db:"created_at,auto"`
	UpdatedAt        time.Time         `db:"updated_at,auto"`
	Deletion
	Registration
}

// NewGroup returns a private group with default settings. The parent may be nil; group.InsertGroup
// fills in what follows from it.
func NewGroup(name, path string, parentID *int64) Group {
	return Group{
		Kind: "group", Name: name, Path: path, ParentID: parentID,
		Settings: NewGroupSettings(), CustomAttributes: map[string]string{},
	}
}

// FoundGroup is a group with the level of one caller in it.
type FoundGroup struct {
	Group
	Level   int  `db:"level"`   // the caller's highest level here, inherited ones included; 0: none
	Pending bool `db:"pending"` // it, or something above it, is marked for deletion
	Filled  bool `db:"filled"`  // projects are directly in it
	Host    bool `db:"host"`    // it is shared with groups
	Guest   bool `db:"guest"`   // projects are shared with it
	// the highest level in the group or anything below it, for a caller without a level; lists
	// leave it 0
	Below  int  `db:"-"`
	Former bool `db:"-"` // the request has an earlier path; FullPath is the current one
}

// PendingSpace is the condition that a namespace called n, or one above it, is marked for deletion.
const PendingSpace = `exists (
	select from namespaces a where a.id = any(n.traversal_ids) and a.marked_for_deletion_on is not null)`

// SelectFound is the query of namespaces called n as FoundGroup, without a condition.
var SelectFound = `
		select n.*, l.level, ` + PendingSpace + ` as pending,
		       exists (select from projects p where p.namespace_id = n.id) as filled,
		       exists (select from shares s where s.namespace_id = n.id and ` + LastingShare + `) as host,
		       exists (select from shares s where s.group_id = n.id and s.project_id is not null
		         and ` + LastingShare + `) as guest
		from namespaces n cross join lateral (select ` + LevelInSpace + ` as level offset 0) l`

// levelBelow is the query of the highest level that the namespace @id or something below it grants
// @user; 0 for none.
const levelBelow = `
	select coalesce(max(m.access_level), 0)::int
	from (select m.namespace_id, m.access_level from ` + SpaceGrants + ` m where m.user_id = @user
	      union all
	      select p.namespace_id, m.access_level
	      from ` + ProjectGrants + ` m join projects p on p.id = m.project_id where m.user_id = @user) m
	join namespaces d on d.id = m.namespace_id
	where d.traversal_ids @> array[@id::bigint]`

// GroupFor finds a group by id or full path, current or former, with the level of the user in it.
// The user 0 is nobody. It takes one query, and another for a user without a level, who may see the
// group by what is below it. Groups that the user may not see are found too: the guard refuses
// them.
func GroupFor(ctx context.Context, s *db.Store, ref string, userID int64) (FoundGroup, error) {
	return spaceFor(ctx, s, ref, userID, "Group", ` where n.kind = 'group' and `)
}

// SpaceFor is GroupFor for what a project can be in: a group or a personal namespace.
func SpaceFor(ctx context.Context, s *db.Store, ref string, userID int64) (FoundGroup, error) {
	return spaceFor(ctx, s, ref, userID, "Namespace", ` where `)
}

func spaceFor(ctx context.Context, s *db.Store, ref string, userID int64, what, among string) (FoundGroup, error) {
	condition, args := byRef(ref, "n", "namespace_id")
	args["user"] = userID
	g, err := db.One[FoundGroup](ctx, s, what, SelectFound+among+condition, args)
	g.Former = isFormer(ref, g.FullPath)
	if err == nil && g.Level < db.Guest && userID != 0 {
		g.Below, err = db.Value[int](ctx, s, levelBelow, pgx.NamedArgs{"user": userID, "id": g.ID})
	}
	return g, err
}

// FindGroup returns the group with that id, or a not-found fault.
func FindGroup(ctx context.Context, s *db.Store, id int64) (Group, error) {
	return db.One[Group](ctx, s, "Group", `select n.* from namespaces n where n.id = @id
		and n.kind = 'group'`, pgx.NamedArgs{"id": id})
}

// Namespace returns the group or personal namespace with that id, or a not-found fault.
func Namespace(ctx context.Context, s *db.Store, id int64) (Group, error) {
	return db.One[Group](ctx, s, "Namespace", `select n.* from namespaces n where n.id = @id`, pgx.NamedArgs{"id": id})
}

// OwnerFilter says which owners of a group count. The zero value counts all.
type OwnerFilter struct {
	Active bool // only owners who can sign in
}

// SoleGroups returns the ids of groups of which the user is an owner and that have no other owner
// who counts, inherited owners included.
func SoleGroups(ctx context.Context, s *db.Store, userID int64, others OwnerFilter) ([]int64, error) {
	return db.Value[[]int64](ctx, s, `
		select coalesce(array_agg(g.id order by g.id), '{}')
		from members m join namespaces g on g.id = m.namespace_id and g.kind = 'group'
		where m.user_id = @user and `+db.AsOwner+` and not exists (
		    select from members o join users u on u.id = o.user_id
		    where o.namespace_id = any(g.traversal_ids) and o.user_id <> @user and o.access_level = @owner
		      and (o.expires_at is null or o.expires_at > current_date)
		      and not u.bot and (u.state = 'active' or not @active))`,
		pgx.NamedArgs{"user": userID, "active": others.Active, "owner": db.Owner})
}
