package work

import (
	"context"
	"time"

	"hew/server/db"
	"hew/server/event"
	"hew/server/tree"
)

// DeleteIssue deletes an issue of a project with its notes. It calls unless with the time of the
// last change, and deletes nothing if that returns an error.
func DeleteIssue(
	ctx context.Context, st *db.Store, p tree.Project, by tree.User, i Issue,
	unless func(ctx context.Context, changed time.Time) error,
) error {
	return st.Tx(ctx, func(st *db.Store) error {
		if err := event.Emit(ctx, st, IssueDeleted{Project: p, Issue: i, By: by}); err != nil {
			return err
		}
		return Issues(st, p.ID).Delete(ctx, db.ByID(i.ID), unless)
	})
}

// Without returns the ids of a that are not in b, each once, in the order of a.
func Without(a, b []int64) (rest []int64) {
	left := make(map[int64]bool, len(a)+len(b))
	for _, id := range b {
		left[id] = true
	}
	for _, id := range a {
		if !left[id] {
			rest, left[id] = append(rest, id), true
		}
	}
	return rest
}
