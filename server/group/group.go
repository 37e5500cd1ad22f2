package group

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/setting"
	"hew/server/tree"
)

// CreateGroup creates a group below its ParentID with the creator as owner, and returns the stored
// row. If v is nil it gets the default visibility of the instance, or its parent's if that is
// lower.
func CreateGroup(
	ctx context.Context, st *db.Store, g tree.Group, v *db.Visibility, creator tree.User,
) (tree.Group, error) {
	err := st.Tx(ctx, func(st *db.Store) error {
		parent, err := findParent(ctx, st, g.ParentID)
		if err != nil {
			return err
		}
		if v != nil {
			g.Visibility = *v
		} else {
			settings, err := setting.Read(ctx, st)
			if err != nil {
				return err
			}
			g.Visibility = db.ParseVisibility(settings.DefaultGroupVisibility)
			if parent != nil {
				g.Visibility = min(g.Visibility, parent.Visibility)
			}
		}
		if err := tree.CheckVisibility(ctx, st, g.Visibility, creator); err != nil {
			return err
		}
		if err := checkGroup(g, parent, tree.Contents{}); err != nil {
			return err
		}
		if g, err = InsertGroup(ctx, st, g, creator.ID); err != nil {
			return err
		}
		if err := event.Emit(ctx, st, Created{g, parent}); err != nil {
			return err
		}
		return emitMembersChanged(ctx, st, MemberAdded, MemberOf(g, creator, int(policy.Owner)))
	})
	return g, err
}

// ChangeGroup locks a group, applies change, and stores the outcome. It applies change to seen
// first: if that changes path, name or visibility it locks the tree below the group as well.
func ChangeGroup(
	ctx context.Context, st *db.Store, seen tree.Group, change func(*tree.Group),
) (g tree.Group, err error) {
	wanted := seen
	change(&wanted)
	err = st.Tx(ctx, func(st *db.Store) error {
		hold := tree.HoldGroup
		if wanted.Path != seen.Path || wanted.Name != seen.Name || wanted.Visibility != seen.Visibility {
			hold = tree.HoldTree
		}
		was, err := hold(ctx, st, seen.ID)
		if err != nil {
			return err
		}
		g = was
		change(&g)
		parent, err := findParent(ctx, st, g.ParentID)
		if err != nil {
			return err
		}
		inside, err := tree.FindContents(ctx, st, g.ID)
		if err != nil {
			return err
		}
		if err := checkGroup(g, parent, inside); err != nil {
			return err
		}
		if g.Path != was.Path || g.Name != was.Name {
			if _, err := MoveGroup(ctx, st, g); err != nil {
				return err
			}
		}
		if g, err = UpdateGroup(ctx, st, g); err != nil || g.Path == was.Path {
			return err
		}
		return event.Emit(ctx, st, Moved{was, g})
	})
	return g, err
}

// DeleteGroup marks a group for deletion: see [Kind.MarkForDeletion].
func DeleteGroup(ctx context.Context, st *db.Store, id int64, by tree.User) error {
	return groups.MarkForDeletion(ctx, st, id, by)
}

// RemoveGroup removes a subgroup that is marked for deletion now. The caller repeats its full path.
func RemoveGroup(ctx context.Context, st *db.Store, id int64, fullPath string) error {
	return groups.RemoveNow(ctx, st, id, func(g tree.Group) error {
		if g.ParentID == nil {
			return fault.BadRequest("`permanently_remove` option is only available for subgroups.").In(fault.Text)
		}
		return groups.CheckRemovable(g, g.FullPath, fullPath)
	})
}

// RestoreGroup removes the mark for deletion from a group.
func RestoreGroup(ctx context.Context, st *db.Store, id int64) (tree.Group, error) {
	return groups.Restore(ctx, st, id)
}

// findParent returns the group to put something in, locked, or nil without an id.
func findParent(ctx context.Context, st *db.Store, id *int64) (*tree.Group, error) {
	if id == nil {
		return nil, nil
	}
	g, err := tree.Place(ctx, st, *id)
	if err != nil {
		return nil, fmt.Errorf("parent: %w", err)
	}
	return &g, nil
}

// InsertGroup stores a group below its ParentID with its creator as owner (0: nobody), and returns
// the stored row.
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

// NewGroupOfInstance returns a group with the defaults of the instance.
func NewGroupOfInstance(ctx context.Context, st *db.Store, name, path string, parentID *int64) (tree.Group, error) {
	g := tree.NewGroup(name, path, parentID)
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return g, err
	}
	g.Settings.DefaultBranchProtection = settings.BranchProtection
	g.Settings.DefaultBranchProtectionDefaults = settings.BranchProtectionDefaults
	if level := settings.ProjectCreation; level >= 0 && level < len(projectCreators) {
		g.Settings.ProjectCreationLevel = projectCreators[level]
	}
	return g, nil
}

// projectCreators are the words of group settings for the numbers of instance settings.
var projectCreators = []string{"noone", "maintainer", "developer", "administrator"}
