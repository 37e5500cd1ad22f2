package forge

import (
	"context"
	"time"

	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/store"
)

// Housekeeping does the jobs that acts leave behind. The queue is asked for when a job runs: it cannot exist before its work.
func Housekeeping(w *jobs.Work, st *store.Store, queue func() *jobs.Queue) {
	jobs.On(w, func(ctx context.Context, a jobs.RemoveGroup) error { return removeMarkedGroup(ctx, st, queue(), a.ID) })
	jobs.On(w, func(ctx context.Context, a jobs.RemoveProject) error {
		return removeMarkedProject(ctx, st, queue(), a.ID)
	})
	jobs.On(w, func(ctx context.Context, a jobs.RemoveUser) error { return removeUser(ctx, st, queue(), a) })
	jobs.On(w, func(ctx context.Context, _ jobs.Sweep) error { return sweep(ctx, st, queue()) })
	w.Every(time.Hour, jobs.Sweep{})
	jobs.On(w, func(ctx context.Context, _ jobs.TellExpiring) error { return tellExpiring(ctx, st, queue()) })
	w.Every(time.Hour, jobs.TellExpiring{})
}

// gone takes the absence of a thing that was to be worked on for success: somebody was faster.
func gone(err error) error {
	if fault.CodeOf(err) == fault.CodeNotFound {
		return nil
	}
	return err
}

// removeMarkedGroup removes a group if it is still marked for deletion: one that was restored meanwhile stays.
func removeMarkedGroup(ctx context.Context, st *store.Store, q *jobs.Queue, id int64) error {
	return gone(st.Tx(ctx, func(st *store.Store) error {
		g, err := st.HoldGroup(ctx, id)
		if err != nil || g.MarkedForDeletionOn == nil {
			return err
		}
		return destroyGroup(ctx, st, q, g)
	}))
}

// removeMarkedProject removes a project likewise.
func removeMarkedProject(ctx context.Context, st *store.Store, q *jobs.Queue, id int64) error {
	return gone(st.Tx(ctx, func(st *store.Store) error {
		p, err := st.HoldProject(ctx, id)
		if err != nil || p.MarkedForDeletionOn == nil {
			return err
		}
		if err := tellProject(ctx, st, q, "project_destroy", p.NamespaceID, p); err != nil {
			return err
		}
		return st.RemoveProject(ctx, id)
	}))
}

// destroyGroup removes a group with all that is below it, and tells those above of each group and project.
func destroyGroup(ctx context.Context, st *store.Store, q *jobs.Queue, g store.Group) error {
	if g.ParentID != nil {
		if err := tellEnd(ctx, st, q, g); err != nil {
			return err
		}
	}
	return st.RemoveGroup(ctx, g.ID)
}

func removeUser(ctx context.Context, st *store.Store, q *jobs.Queue, a jobs.RemoveUser) error {
	return st.Tx(ctx, func(st *store.Store) error {
		if a.Hard {
			// Owners who are blocked keep their groups: what is removed here is gone for good.
			groups, err := st.SoleGroups(ctx, a.ID, false)
			if err != nil {
				return err
			}
			for _, id := range groups {
				g, err := st.HoldGroup(ctx, id)
				if err == nil {
					err = destroyGroup(ctx, st, q, g)
				}
				if gone(err) != nil { // one may have gone with another above it
					return err
				}
			}
		}
		left, err := st.GroupMemberships(ctx, a.ID)
		if err != nil {
			return err
		}
		if err := tellMembers(ctx, st, q, memberRemoved, left...); err != nil {
			return err
		}
		return gone(st.DeleteUser(ctx, a.ID))
	})
}

// sweep finds what is due and leaves each removal to a job of its own: they are many small transactions, and one that
// fails keeps none of the others.
func sweep(ctx context.Context, st *store.Store, q *jobs.Queue) error {
	settings, err := st.Settings(ctx)
	if err != nil {
		return err
	}
	return st.Tx(ctx, func(st *store.Store) error {
		groups, projects, err := st.Due(ctx, store.Today().Add(-settings.DeletionAdjournedPeriod))
		if err != nil {
			return err
		}
		var due []jobs.Args
		for _, id := range groups {
			due = append(due, jobs.RemoveGroup{ID: id})
		}
		for _, id := range projects {
			due = append(due, jobs.RemoveProject{ID: id})
		}
		if err := q.Enqueue(ctx, st, due...); err != nil {
			return err
		}
		expired, err := st.RemoveExpired(ctx)
		if err != nil {
			return err
		}
		if err := tellMembers(ctx, st, q, memberRemoved, expired...); err != nil {
			return err
		}
		if err := acceptInvitations(ctx, st, q, nil); err != nil {
			return err
		}
		if _, err := st.RemoveIdleBots(ctx); err != nil {
			return err
		}
		return st.RemoveHookLogs(ctx)
	})
}
