package server

import (
	"context"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/hook"
	"hew/server/jobs"
	"hew/server/setting"
	"hew/server/tree"
)

// Housekeeping does the jobs that acts leave behind. The queue is asked for when a job runs: it cannot exist before its work.
func Housekeeping(w *jobs.Work, st *db.Store, queue func() *jobs.Queue) {
	jobs.On(w, func(ctx context.Context, a jobs.RemoveGroup) error { return removeMarkedGroup(ctx, st, queue(), a.ID) })
	jobs.On(w, func(ctx context.Context, a jobs.RemoveProject) error {
		return removeMarkedProject(ctx, st, queue(), a.ID)
	})
	jobs.On(w, func(ctx context.Context, a jobs.RemoveUser) error { return removeUser(ctx, st, queue(), a) })
	jobs.On(w, func(ctx context.Context, _ jobs.Sweep) error { return sweep(ctx, st, queue()) })
	w.Every(time.Hour, jobs.Sweep{})
	jobs.On(w, func(ctx context.Context, _ jobs.TellExpiring) error { return hook.TellExpiring(ctx, st, queue()) })
	w.Every(time.Hour, jobs.TellExpiring{})
}

// removeMarkedGroup removes a group if it is still marked for deletion: one that was restored meanwhile stays.
func removeMarkedGroup(ctx context.Context, st *db.Store, q *jobs.Queue, id int64) error {
	return fault.IgnoreNotFound(st.Tx(ctx, func(st *db.Store) error {
		g, err := tree.HoldGroup(ctx, st, id)
		if err != nil || g.MarkedForDeletionOn == nil {
			return err
		}
		return destroyGroup(ctx, st, q, g)
	}))
}

// removeMarkedProject removes a project likewise.
func removeMarkedProject(ctx context.Context, st *db.Store, q *jobs.Queue, id int64) error {
	return fault.IgnoreNotFound(st.Tx(ctx, func(st *db.Store) error {
		p, err := tree.HoldProject(ctx, st, id)
		if err != nil || p.MarkedForDeletionOn == nil {
			return err
		}
		if err := hook.TellProject(ctx, st, q, "project_destroy", p.NamespaceID, p); err != nil {
			return err
		}
		return tree.RemoveProject(ctx, st, id)
	}))
}

// destroyGroup removes a group with all that is below it, and tells those above of each group and project.
func destroyGroup(ctx context.Context, st *db.Store, q *jobs.Queue, g tree.Group) error {
	if g.ParentID != nil {
		if err := hook.TellEnd(ctx, st, q, g); err != nil {
			return err
		}
	}
	return tree.RemoveGroup(ctx, st, g.ID)
}

func removeUser(ctx context.Context, st *db.Store, q *jobs.Queue, a jobs.RemoveUser) error {
	return st.Tx(ctx, func(st *db.Store) error {
		if a.Hard {
			// Owners who are blocked keep their groups: what is removed here is gone for good.
			groups, err := tree.SoleGroups(ctx, st, a.ID, false)
			if err != nil {
				return err
			}
			for _, id := range groups {
				g, err := tree.HoldGroup(ctx, st, id)
				if err == nil {
					err = destroyGroup(ctx, st, q, g)
				}
				if fault.IgnoreNotFound(err) != nil { // one may have gone with another above it
					return err
				}
			}
		}
		left, err := group.GroupMemberships(ctx, st, a.ID)
		if err != nil {
			return err
		}
		if err := group.TellMembers(ctx, st, q, group.MemberRemoved, left...); err != nil {
			return err
		}
		return fault.IgnoreNotFound(tree.DeleteUser(ctx, st, a.ID))
	})
}

// sweep finds what is due and leaves each removal to a job of its own: they are many small transactions, and one that
// fails keeps none of the others.
func sweep(ctx context.Context, st *db.Store, q *jobs.Queue) error {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return err
	}
	return st.Tx(ctx, func(st *db.Store) error {
		groups, projects, err := tree.Due(ctx, st, db.Today().Add(-settings.DeletionAdjournedPeriod))
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
		expired, err := group.RemoveExpired(ctx, st)
		if err != nil {
			return err
		}
		if err := group.TellMembers(ctx, st, q, group.MemberRemoved, expired...); err != nil {
			return err
		}
		if err := group.AcceptInvitations(ctx, st, q, nil); err != nil {
			return err
		}
		if _, err := group.RemoveIdleBots(ctx, st); err != nil {
			return err
		}
		return hook.RemoveHookLogs(ctx, st)
	})
}
