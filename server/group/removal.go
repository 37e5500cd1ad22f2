package group

import (
	"context"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/people"
	"hew/server/tree"
)

// RemovalJob removes a group that is marked for deletion, with everything below, for good.
type RemovalJob struct {
	ID int64 `json:"id"`
}

// Kind names the job.
func (RemovalJob) Kind() string { return "remove_group" }

// Ending is emitted when a group is about to be removed with all that is below it.
type Ending struct{ Group tree.Group }

// removeMarked removes a group if it is still marked for deletion: one that was restored meanwhile stays.
func removeMarked(ctx context.Context, st *db.Store, job RemovalJob) error {
	return fault.IgnoreNotFound(st.Tx(ctx, func(st *db.Store) error {
		g, err := tree.HoldGroup(ctx, st, job.ID)
		if err != nil || g.MarkedForDeletionOn == nil {
			return err
		}
		return remove(ctx, st, g)
	}))
}

// remove removes a group with all that is below it.
func remove(ctx context.Context, st *db.Store, g tree.Group) error {
	if err := event.Emit(ctx, st, Ending{g}); err != nil {
		return err
	}
	return tree.RemoveGroup(ctx, st, g.ID)
}

// removeUser removes a user, and the groups that only this user owns if the job says so.
func removeUser(ctx context.Context, st *db.Store, job people.RemovalJob) error {
	return st.Tx(ctx, func(st *db.Store) error {
		if job.Hard {
			// Owners who are blocked keep their groups: what is removed here is gone for good.
			owned, err := tree.SoleGroups(ctx, st, job.ID, false)
			if err != nil {
				return err
			}
			for _, id := range owned {
				g, err := tree.HoldGroup(ctx, st, id)
				if err == nil {
					err = remove(ctx, st, g)
				}
				if fault.IgnoreNotFound(err) != nil { // one may have gone with another above it
					return err
				}
			}
		}
		left, err := groupMemberships(ctx, st, job.ID)
		if err != nil {
			return err
		}
		if err := TellMembers(ctx, st, memberRemoved, left...); err != nil {
			return err
		}
		return fault.IgnoreNotFound(tree.DeleteUser(ctx, st, job.ID))
	})
}
