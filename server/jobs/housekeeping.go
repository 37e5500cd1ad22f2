package jobs

import (
	"context"
	"time"

	"hew/server/fault"
	"hew/server/store"
)

// RemoveGroup removes a group that is marked for deletion, with everything below, for good.
type RemoveGroup struct {
	ID int64 `json:"id"`
}

// Kind names the job.
func (RemoveGroup) Kind() string { return "remove_group" }

// RemoveProject removes a project that is marked for deletion, for good.
type RemoveProject struct {
	ID int64 `json:"id"`
}

// Kind names the job.
func (RemoveProject) Kind() string { return "remove_project" }

// RemoveUser removes a user with his personal namespace; Hard also the groups that he alone owns.
type RemoveUser struct {
	ID   int64 `json:"id"`
	Hard bool  `json:"hard"`
}

// Kind names the job.
func (RemoveUser) Kind() string { return "remove_user" }

// Sweep removes what is over: groups and projects whose deletion period has passed, memberships that have expired.
type Sweep struct{}

// Kind names the job.
func (Sweep) Kind() string { return "sweep" }

// Housekeeping adds the kinds of this file. The queue is asked for when a job runs: it cannot exist before its work.
func Housekeeping(w *Work, st *store.Store, queue func() *Queue) {
	On(w, func(ctx context.Context, a RemoveGroup) error { return st.RemoveMarkedGroup(ctx, a.ID) })
	On(w, func(ctx context.Context, a RemoveProject) error { return st.RemoveMarkedProject(ctx, a.ID) })
	On(w, func(ctx context.Context, a RemoveUser) error { return removeUser(ctx, st, a) })
	On(w, func(ctx context.Context, _ Sweep) error { return sweep(ctx, st, queue()) })
	w.Every(time.Hour, Sweep{})
}

// gone takes the absence of a thing that was to be removed for success: somebody was faster.
func gone(err error) error {
	if fault.CodeOf(err) == fault.CodeNotFound {
		return nil
	}
	return err
}

func removeUser(ctx context.Context, st *store.Store, a RemoveUser) error {
	return st.Tx(ctx, func(st *store.Store) error {
		if a.Hard {
			// Owners who are blocked keep their groups: what is removed here is gone for good.
			groups, err := st.SoleGroups(ctx, a.ID, false)
			if err != nil {
				return err
			}
			for _, id := range groups {
				if err := gone(st.RemoveGroup(ctx, id)); err != nil { // one may have gone with another above it
					return err
				}
			}
		}
		return gone(st.DeleteUser(ctx, a.ID))
	})
}

// sweep finds what is due and leaves each removal to a job of its own: they are many small transactions, and one that
// fails keeps none of the others.
func sweep(ctx context.Context, st *store.Store, q *Queue) error {
	settings, err := st.Settings(ctx)
	if err != nil {
		return err
	}
	return st.Tx(ctx, func(st *store.Store) error {
		groups, projects, err := st.Due(ctx, store.Today().Add(-settings.DeletionAdjournedPeriod))
		if err != nil {
			return err
		}
		for _, id := range groups {
			if err := q.Enqueue(ctx, st, RemoveGroup{id}); err != nil {
				return err
			}
		}
		for _, id := range projects {
			if err := q.Enqueue(ctx, st, RemoveProject{id}); err != nil {
				return err
			}
		}
		_, err = st.RemoveExpired(ctx)
		return err
	})
}
