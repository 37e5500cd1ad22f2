package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/fault"
)

// Group is a row of namespaces: a group, or the personal namespace of a user (Kind says which), which differs in having
// an owner instead of settings that matter.
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
	Visibility       Visibility        `db:"visibility"`
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

// NewGroup is a private group with default settings. The parent may be nil; CreateGroup fills what follows from it.
func NewGroup(name, path string, parentID *int64) Group {
	return Group{
		Kind: "group", Name: name, Path: path, ParentID: parentID,
		Settings: NewGroupSettings(), CustomAttributes: map[string]string{},
	}
}

// FoundGroup is a group as one caller meets it.
type FoundGroup struct {
	Group
	Level   int  `db:"level"`   // the caller's highest level here, inherited ones included; 0: none
	Pending bool `db:"pending"` // it, or something above it, is marked for deletion
	Filled  bool `db:"filled"`  // projects are directly in it
	Host    bool `db:"host"`    // it is shared with groups
	Guest   bool `db:"guest"`   // projects are shared with it
	Below   int  `db:"-"`       // without such a level: the highest here or in anything below, not inherited; a list does not tell
	Former  bool `db:"-"`       // it was asked for by a path that it no longer has: FullPath is the new one
}

// pendingSpace says whether a namespace called n, or one above it, is marked for deletion.
const pendingSpace = `exists (
	select from namespaces a where a.id = any(n.traversal_ids) and a.marked_for_deletion_on is not null)`

// selectFound reads namespaces called n as FoundGroup.
var selectFound = `
		select n.*, l.level, ` + pendingSpace + ` as pending,
		       exists (select from projects p where p.namespace_id = n.id) as filled,
		       exists (select from shares s where s.namespace_id = n.id and ` + lastingShare + `) as host,
		       exists (select from shares s where s.group_id = n.id and s.project_id is not null and ` + lastingShare + `) as guest
		from namespaces n cross join lateral (select ` + levelInSpace + ` as level offset 0) l`

// levelBelow is the highest level that @user is granted in a namespace or in something below it; 0: none.
const levelBelow = `
	select coalesce(max(m.access_level), 0)::int
	from (select m.namespace_id, m.access_level from ` + spaceGrants + ` m where m.user_id = @user
	      union all
	      select p.namespace_id, m.access_level
	      from ` + projectGrants + ` m join projects p on p.id = m.project_id where m.user_id = @user) m
	join namespaces d on d.id = m.namespace_id
	where d.traversal_ids @> array[@id::bigint]`

// GroupFor finds a group by id or full path, current or former, together with what the user may do there: one query, and
// one more for a user without a level, since to others it makes no difference what is below. The user 0 is nobody. What
// the user may not see is found all the same: that is for the guard to judge.
func (s *Store) GroupFor(ctx context.Context, ref string, userID int64) (FoundGroup, error) {
	return s.spaceFor(ctx, ref, userID, "Group", ` where n.kind = 'group' and `)
}

// SpaceFor is GroupFor for whatever a project can be in: a group or a personal namespace.
func (s *Store) SpaceFor(ctx context.Context, ref string, userID int64) (FoundGroup, error) {
	return s.spaceFor(ctx, ref, userID, "Namespace", ` where `)
}

func (s *Store) spaceFor(ctx context.Context, ref string, userID int64, what, among string) (FoundGroup, error) {
	condition, args := byRef(ref, "n", "namespace_id")
	args["user"] = userID
	g, err := one[FoundGroup](ctx, s, what, selectFound+among+condition, args)
	g.Former = isFormer(ref, g.FullPath)
	if err == nil && g.Level < guest && userID != 0 {
		g.Below, err = value[int](ctx, s, levelBelow, pgx.NamedArgs{"user": userID, "id": g.ID})
	}
	return g, err
}

// Group is the group with that id.
func (s *Store) Group(ctx context.Context, id int64) (Group, error) {
	return one[Group](ctx, s, "Group", `select n.* from namespaces n where n.id = @id and n.kind = 'group'`, pgx.NamedArgs{"id": id})
}

// Namespace is the group or personal namespace with that id.
func (s *Store) Namespace(ctx context.Context, id int64) (Group, error) {
	return one[Group](ctx, s, "Namespace", `select n.* from namespaces n where n.id = @id`, pgx.NamedArgs{"id": id})
}

// CreateGroup stores a group below its ParentID with its creator as owner (0: nobody), and returns the stored row.
func (s *Store) CreateGroup(ctx context.Context, g Group, creatorID int64) (Group, error) {
	err := s.Tx(ctx, func(s *Store) error {
		parent, err := s.parent(ctx, g.ParentID)
		if err != nil {
			return err
		}
		if err := tooDeep(parent, 1); err != nil {
			return err
		}
		if g.ID, err = s.nextID(ctx, "namespaces"); err != nil {
			return err
		}
		_, g.Registration = s.newRegistration(groupRunnersToken, g.ID)
		g.FullPath, g.FullName, g.TraversalIDs = g.Path, g.Name, []int64{g.ID}
		if parent != nil {
			at := parent.child(g.ID, g.Path, g.Name)
			g.FullPath, g.FullName, g.TraversalIDs = at.FullPath, at.FullName, at.TraversalIDs
		}
		if creatorID != 0 {
			g.CreatorID = &creatorID
		}
		if _, err := s.insert(ctx, "namespaces", g); err != nil {
			return err
		}
		if err := s.claim(ctx, g.FullPath, namespaceRoute(g.ID)); err != nil {
			return err
		}
		if creatorID != 0 {
			m := Member{UserID: creatorID, NamespaceID: &g.ID, AccessLevel: owner, CreatedByID: &creatorID}
			if _, err := s.AddMember(ctx, m); err != nil {
				return err
			}
		}
		g, err = s.Group(ctx, g.ID)
		return err
	})
	return g, err
}

// UpdateGroup stores what the row says, apart from its place, and returns it as stored.
func (s *Store) UpdateGroup(ctx context.Context, g Group) (Group, error) {
	err := s.Tx(ctx, func(s *Store) error {
		was, err := s.HoldGroup(ctx, g.ID)
		if err != nil {
			return err
		}
		g.ParentID, g.Path, g.Name = was.ParentID, was.Path, was.Name
		g.FullPath, g.FullName, g.TraversalIDs = was.FullPath, was.FullName, was.TraversalIDs
		if err := s.update(ctx, "namespaces", g); err != nil {
			return err
		}
		g, err = s.Group(ctx, g.ID)
		return err
	})
	return g, err
}

// MoveGroup gives a group the place that the row says: ParentID, Path and Name. All that is below goes along, with
// redirects from the old paths. It returns the stored row.
func (s *Store) MoveGroup(ctx context.Context, g Group) (Group, error) {
	err := s.Tx(ctx, func(s *Store) error {
		was, err := s.HoldTree(ctx, g.ID)
		if err != nil {
			return err
		}
		parent, err := s.parent(ctx, g.ParentID)
		if err != nil {
			return err
		}
		if parent != nil && slices.Contains(parent.TraversalIDs, g.ID) {
			return fault.Invalid("parent_id", "cannot be the group itself or one of its subgroups")
		}
		height, err := s.height(ctx, was)
		if err != nil {
			return err
		}
		if err := tooDeep(parent, height); err != nil {
			return err
		}
		if err := s.relocate(ctx, was, parent, g.Path, g.Name); err != nil {
			return err
		}
		g, err = s.Group(ctx, g.ID)
		return err
	})
	return g, err
}

// EnsureOwner makes the user an owner of a group that has none, neither its own nor from above, and says whether it had to.
func (s *Store) EnsureOwner(ctx context.Context, g Group, userID int64) (made bool, err error) {
	n, err := s.Owners(ctx, g)
	if err != nil || n > 0 {
		return false, err
	}
	return true, s.exec(ctx, `
		insert into members (user_id, namespace_id, access_level, created_by_id) values (@user, @group, @owner, @user)
		on conflict (namespace_id, user_id) do update
		set access_level = @owner, expires_at = null, membership_state = 'active'`,
		pgx.NamedArgs{"user": userID, "group": g.ID, "owner": owner})
}

// CheckKey fails if the store has another key than the one that the database was sealed under: what is sealed from now on
// could not be read by those who have the right one. A database without secrets takes any.
func (s *Store) CheckKey(ctx context.Context) error {
	g, err := one[Group](ctx, s, "Group", `
		select n.* from namespaces n where n.runners_token is not null order by n.id limit 1`, nil)
	switch {
	case fault.CodeOf(err) == fault.CodeNotFound:
		return nil
	case err != nil:
		return err
	}
	if _, err = s.RunnersToken(g); err != nil {
		return fmt.Errorf("the secrets of this database were sealed under another key; give it by HEWD_SECRET_KEY: %w", err)
	}
	return nil
}
