package work

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/tree"
)

type epicRun = CommandRun[Epic]

// makeEpicConfidential makes an epic confidential that holds nothing which is not.
func makeEpicConfidential(ctx context.Context, st *db.Store, r *epicRun, e *Epic, argument string) (string, error) {
	secret := *e
	secret.Confidential = true
	if err := checkEpicContents(ctx, st, *e, secret); err != nil {
		return "", fault.IgnoreRefused(err)
	}
	return makeConfidential(ctx, st, r, e, argument)
}

// setParentEpic makes the epic the child of one that the actor may edit.
func setParentEpic(ctx context.Context, st *db.Store, r *epicRun, e *Epic, argument string) (string, error) {
	list, err := r.on.Find(ctx, st, argument)
	if err != nil || len(list) != 1 || list[0].ID == db.OrZero(e.ParentID) || list[0].Confidential && !e.Confidential {
		return "", err
	}
	parent := list[0]
	if reason, err := parentProblem(ctx, st, parent, *e); err != nil || reason != "" {
		return "", err
	}
	groups, err := planned(ctx, st, r, list)
	if err != nil || groups[parent.NamespaceID] == nil {
		return "", err
	}
	e.ParentID = &parent.ID
	r.Changes("parent_id", parent.ID)
	return "Set " + parent.ReferenceFrom(r.on.At.Path) + " as the parent epic.", nil
}

func removeParentEpic(ctx context.Context, st *db.Store, r *epicRun, e *Epic, _ string) (string, error) {
	if e.ParentID == nil {
		return "", nil
	}
	refs, err := r.Actor.Viewer.EpicRefs(ctx, st, []int64{*e.ParentID})
	said := "Removed parent epic."
	if parent, seen := refs[*e.ParentID]; seen {
		said = "Removed parent epic " + epicReference(parent.Path, parent.IID, r.on.At.Path) + "."
	}
	e.ParentID = nil
	r.Changes("parent_id", nil)
	return said, err
}

// addChildEpics makes epics that the actor may edit children of the epic.
func addChildEpics(ctx context.Context, st *db.Store, r *epicRun, e *Epic, argument string) (string, error) {
	fits := func(child Epic) (bool, error) {
		if db.OrZero(child.ParentID) == e.ID && e.ID != 0 || e.Confidential && !child.Confidential {
			return false, nil
		}
		if e.ID == 0 { // a new epic has no parents
			return true, nil
		}
		reason, err := parentProblem(ctx, st, *e, child)
		return reason == "", err
	}
	return eachChild(ctx, st, r, argument, "Added %s as a child epic.", fits,
		func(ctx context.Context, st *db.Store, g tree.Group, e, child Epic) error {
			_, err := AddChild(ctx, st, g, r.Actor.User, e, child)
			return err
		})
}

// removeChildEpics takes children away from the epic.
func removeChildEpics(ctx context.Context, st *db.Store, r *epicRun, e *Epic, argument string) (string, error) {
	fits := func(child Epic) (bool, error) { return e.ID != 0 && db.OrZero(child.ParentID) == e.ID, nil }
	return eachChild(ctx, st, r, argument, "Removed %s from child epics.", fits,
		func(ctx context.Context, st *db.Store, g tree.Group, e, child Epic) error {
			_, err := RemoveChild(ctx, st, g, r.Actor.User, e, child)
			return err
		})
}

// eachChild leaves something to be done with each of the epics that an argument names, that fit,
// and that the actor may edit.
func eachChild(
	ctx context.Context, st *db.Store, r *epicRun, argument, said string, fits func(Epic) (bool, error),
	do func(ctx context.Context, st *db.Store, g tree.Group, e, child Epic) error,
) (string, error) {
	list, err := r.on.Find(ctx, st, argument)
	if err != nil {
		return "", err
	}
	groups, err := planned(ctx, st, r, list)
	if err != nil {
		return "", err
	}
	var names []string
	for _, child := range list {
		g := groups[child.NamespaceID]
		if g == nil {
			continue
		}
		if ok, err := fits(child); err != nil {
			return "", err
		} else if !ok {
			continue
		}
		names = append(names, child.ReferenceFrom(r.on.At.Path))
		r.Afterwards(func(ctx context.Context, st *db.Store, e Epic) error { return do(ctx, st, *g, e, child) })
	}
	if len(names) == 0 {
		return "", nil
	}
	return fmt.Sprintf(said, enumerate(names)), nil
}

// planned returns those of the groups of epics in which the actor may edit epics, by id.
func planned(ctx context.Context, st *db.Store, r *epicRun, list []Epic) (map[int64]*tree.Group, error) {
	groups := map[int64]*tree.Group{}
	for _, e := range list {
		if _, known := groups[e.NamespaceID]; known {
			continue
		}
		groups[e.NamespaceID] = nil
		g, err := tree.GroupFor(ctx, st, fmt.Sprint(e.NamespaceID), r.Actor.User.ID)
		if err != nil {
			return nil, err
		}
		if !g.Pending && (r.Actor.User.Admin || policy.Level(g.Level) >= policy.Planner) {
			groups[e.NamespaceID] = &g.Group
		}
	}
	return groups, nil
}
