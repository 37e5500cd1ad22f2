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

// CreateGroup creates a group below its ParentID with the creator as owner, and returns the stored row. Without a
// visibility of its own (nil) it gets the one that the settings say, or its parent's if that is lower.
func CreateGroup(ctx context.Context, st *db.Store, g tree.Group, v *db.Visibility, creator tree.User) (tree.Group, error) {
	err := st.Tx(ctx, func(st *db.Store) error {
		parent, err := place(ctx, st, g.ParentID)
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
		if g, err = InsertGroup(ctx, st, g, creator.ID); err != nil || parent == nil {
			return err
		}
		if err := tellSubgroup(ctx, st, g, *parent); err != nil {
			return err
		}
		return TellMembers(ctx, st, memberAdded, MemberOf(g, creator, int(policy.Owner)))
	})
	return g, err
}

// ChangeGroup changes a group, which may move it. The change is applied to the group as it was seen, to learn what it
// takes, and then to the group as it is, which nobody else can change any more.
func ChangeGroup(ctx context.Context, st *db.Store, seen tree.Group, change func(*tree.Group)) (g tree.Group, err error) {
	wanted := seen
	change(&wanted)
	err = st.Tx(ctx, func(st *db.Store) error {
		hold := func(ctx context.Context, id int64) (tree.Group, error) { return tree.HoldGroup(ctx, st, id) }
		if wanted.Path != seen.Path || wanted.Name != seen.Name || wanted.Visibility != seen.Visibility {
			hold = func(ctx context.Context, id int64) (tree.Group, error) { return tree.HoldTree(ctx, st, id) }
		}
		was, err := hold(ctx, seen.ID)
		if err != nil {
			return err
		}
		g = was
		change(&g)
		parent, err := place(ctx, st, g.ParentID)
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
		g, err = UpdateGroup(ctx, st, g)
		return err
	})
	return g, err
}

// TransferGroup moves a group below another one, or to the top (nil). What is inherited changes with it: if nobody would
// own the group any more, the one who moved it does.
func TransferGroup(ctx context.Context, st *db.Store, id int64, to *int64, by tree.User) (g tree.Group, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if g, err = tree.HoldTree(ctx, st, id); err != nil {
			return err
		}
		parent, err := place(ctx, st, to)
		if err != nil {
			return err
		}
		if text := unmovable(g, parent); text != "" {
			return untransferred(text)
		}
		g.ParentID = to
		if g, err = MoveGroup(ctx, st, g); err != nil {
			return whyUntransferred(err)
		}
		if err := event.Emit(ctx, st, AccessLost{Source: tree.InGroup(g)}); err != nil {
			return err
		}
		added, err := EnsureOwner(ctx, st, g, by.ID)
		if err != nil || !added {
			return err
		}
		return TellMembers(ctx, st, memberAdded, MemberOf(g, by, int(policy.Owner)))
	})
	return g, err
}

// DeleteGroup marks a group for deletion; after the days that the settings say, or at once if they say none, it is removed
// with all that is below it.
func DeleteGroup(ctx context.Context, st *db.Store, id int64, by tree.User) error {
	return groups.Mark(ctx, st, id, by)
}

// RemoveGroup removes a subgroup that is marked for deletion without waiting for its day. Whoever asks repeats its full
// path, so that nobody removes another one than he means.
func RemoveGroup(ctx context.Context, st *db.Store, id int64, fullPath string) error {
	return groups.Hasten(ctx, st, id, func(g tree.Group) error {
		if g.ParentID == nil {
			return fault.BadRequest("`permanently_remove` option is only available for subgroups.").In(fault.Text)
		}
		return groups.Due(g, g.FullPath, fullPath)
	})
}

// RestoreGroup takes the mark off a group that is to be deleted.
func RestoreGroup(ctx context.Context, st *db.Store, id int64) (tree.Group, error) {
	return groups.Restore(ctx, st, id)
}

func place(ctx context.Context, st *db.Store, id *int64) (*tree.Group, error) {
	if id == nil {
		return nil, nil
	}
	g, err := tree.Place(ctx, st, *id)
	if err != nil {
		return nil, fmt.Errorf("parent: %w", err)
	}
	return &g, nil
}
