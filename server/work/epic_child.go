package work

import (
	"context"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// NoMatchingEpic returns the fault of an epic that cannot be linked or added.
func NoMatchingEpic() error {
	return fault.NotFound("No matching epic found. Make sure that you are adding a valid epic URL.").In(fault.Text)
}

// childPositions is the order of the children of an epic.
func childPositions(parent int64) positions {
	return positions{table: "epics", column: "relative_position", scope: "parent_id", of: parent}
}

// AddChild makes an epic of a group the child of another one and returns it.
func AddChild(ctx context.Context, st *db.Store, g tree.Group, by tree.User, parent, child Epic) (Epic, error) {
	e, err := ChangeEpic(ctx, st, g, by, db.ByID(child.ID), func(st *db.Store, e *Epic) error {
		if db.OrZero(e.ParentID) == parent.ID {
			return fault.Conflict(sameParent)
		}
		reason, err := parentProblem(ctx, st, parent, *e)
		if err != nil {
			return err
		}
		if reason != "" {
			return fault.Conflict(reason)
		}
		e.ParentID = &parent.ID
		return nil
	})
	return e, err
}

// RemoveChild takes a child of an epic, which is of a group, away from it and returns the child.
func RemoveChild(ctx context.Context, st *db.Store, g tree.Group, by tree.User, parent, child Epic) (Epic, error) {
	return ChangeEpic(ctx, st, g, by, db.ByID(child.ID), func(_ *db.Store, e *Epic) error {
		if db.OrZero(e.ParentID) != parent.ID {
			return fault.NotFound("Epic")
		}
		e.ParentID = nil
		return nil
	})
}

// ReorderChild puts a child of an epic between two others: behind the one with the id after,
// ahead of the one with the id before; 0 for an end that was not given.
func ReorderChild(ctx context.Context, st *db.Store, parent, child Epic, after, before int64) error {
	return st.Tx(ctx, func(st *db.Store) error {
		if err := lockEpicTree(ctx, st, parent.NamespaceID); err != nil {
			return err
		}
		return childPositions(parent.ID).put(ctx, st, child.ID, after, before)
	})
}
