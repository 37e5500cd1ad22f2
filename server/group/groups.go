package group

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// InsertGroup stores a group below its ParentID with its creator as owner (0: nobody), and returns the stored row.
func InsertGroup(ctx context.Context, s *db.Store, g tree.Group, creatorID int64) (tree.Group, error) {
	err := s.Tx(ctx, func(s *db.Store) error {
		parent, err := tree.Parent(ctx, s, g.ParentID)
		if err != nil {
			return err
		}
		if err := tree.TooDeep(parent, 1); err != nil {
			return err
		}
		if g.ID, err = s.NextID(ctx, "namespaces"); err != nil {
			return err
		}
		_, g.Registration = tree.NewRegistration(s, tree.GroupRunnersToken, g.ID)
		g.FullPath, g.FullName, g.TraversalIDs = g.Path, g.Name, []int64{g.ID}
		if parent != nil {
			at := parent.Child(g.ID, g.Path, g.Name)
			g.FullPath, g.FullName, g.TraversalIDs = at.FullPath, at.FullName, at.TraversalIDs
		}
		if creatorID != 0 {
			g.CreatorID = &creatorID
		}
		if _, err := s.Insert(ctx, "namespaces", g); err != nil {
			return err
		}
		if err := tree.Claim(ctx, s, g.FullPath, tree.NamespaceRoute(g.ID)); err != nil {
			return err
		}
		if creatorID != 0 {
			m := Member{UserID: creatorID, NamespaceID: &g.ID, AccessLevel: db.Owner, CreatedByID: &creatorID}
			if _, err := AddMember(ctx, s, m); err != nil {
				return err
			}
		}
		g, err = tree.FindGroup(ctx, s, g.ID)
		return err
	})
	return g, err
}

// UpdateGroup stores what the row says, apart from its place, and returns it as stored.
func UpdateGroup(ctx context.Context, s *db.Store, g tree.Group) (tree.Group, error) {
	err := s.Tx(ctx, func(s *db.Store) error {
		was, err := tree.HoldGroup(ctx, s, g.ID)
		if err != nil {
			return err
		}
		g.ParentID, g.Path, g.Name = was.ParentID, was.Path, was.Name
		g.FullPath, g.FullName, g.TraversalIDs = was.FullPath, was.FullName, was.TraversalIDs
		if err := s.Update(ctx, "namespaces", g); err != nil {
			return err
		}
		g, err = tree.FindGroup(ctx, s, g.ID)
		return err
	})
	return g, err
}

// MoveGroup gives a group the place that the row says: ParentID, Path and Name. All that is below goes along, with
// redirects from the old paths. It returns the stored row.
func MoveGroup(ctx context.Context, s *db.Store, g tree.Group) (tree.Group, error) {
	err := s.Tx(ctx, func(s *db.Store) error {
		was, err := tree.HoldTree(ctx, s, g.ID)
		if err != nil {
			return err
		}
		parent, err := tree.Parent(ctx, s, g.ParentID)
		if err != nil {
			return err
		}
		if parent != nil && slices.Contains(parent.TraversalIDs, g.ID) {
			return fault.Invalid("parent_id", "cannot be the group itself or one of its subgroups")
		}
		height, err := tree.Height(ctx, s, was)
		if err != nil {
			return err
		}
		if err := tree.TooDeep(parent, height); err != nil {
			return err
		}
		if err := tree.Relocate(ctx, s, was, parent, g.Path, g.Name); err != nil {
			return err
		}
		g, err = tree.FindGroup(ctx, s, g.ID)
		return err
	})
	return g, err
}

// EnsureOwner makes the user an owner of a group that has none, neither its own nor from above, and says whether it had to.
func EnsureOwner(ctx context.Context, s *db.Store, g tree.Group, userID int64) (made bool, err error) {
	n, err := Owners(ctx, s, g)
	if err != nil || n > 0 {
		return false, err
	}
	return true, s.Exec(ctx, `
		insert into members (user_id, namespace_id, access_level, created_by_id) values (@user, @group, @owner, @user)
		on conflict (namespace_id, user_id) do update
		set access_level = @owner, expires_at = null, membership_state = 'active'`,
		pgx.NamedArgs{"user": userID, "group": g.ID, "owner": db.Owner})
}
