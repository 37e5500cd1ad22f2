package forge

import (
	"context"

	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/store"
)

// Queue takes the jobs that acts leave behind. Handlers hand it on and need not know what goes in.
type Queue = jobs.Queue

// RemoveUser locks a user out now and removes him in the background. Groups that he alone owns would be nobody's: they
// stand in the way, unless they are to go with him (hard).
func RemoveUser(ctx context.Context, st *store.Store, q *Queue, id int64, hard bool) error {
	return st.Tx(ctx, func(st *store.Store) error {
		// One at a time: two owners of a group would each count on the other.
		if err := st.Exclusively(ctx, "removal of users"); err != nil {
			return err
		}
		sole, err := st.SoleGroups(ctx, id, true)
		switch {
		case err != nil:
			return err
		case len(sole) > 0 && !hard:
			return fault.Conflict("User cannot be removed - is sole owner of a group")
		}
		if _, err := st.SetUserState(ctx, id, "blocked", "active", "deactivated", "banned", "blocked_pending_approval"); err != nil {
			return err
		}
		return q.Enqueue(ctx, st, jobs.RemoveUser{ID: id, Hard: hard})
	})
}
