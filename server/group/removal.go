package group

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/people"
	"hew/server/setting"
	"hew/server/tree"
)

// RemovalJob removes a group that is marked for deletion, with everything below.
type RemovalJob struct {
	ID int64 `json:"id"`
}

// Kind returns the name of the job.
func (RemovalJob) Kind() string { return "remove_group" }

// removeMarked removes a group if it is still marked for deletion.
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
	if err := event.Emit(ctx, st, BeforeRemoval{g}); err != nil {
		return err
	}
	return tree.RemoveGroup(ctx, st, g.ID)
}

// removeUser removes a user, and the groups that only this user owns if the job says so.
func removeUser(ctx context.Context, st *db.Store, job people.RemovalJob) error {
	return st.Tx(ctx, func(st *db.Store) error {
		if job.Hard {
			// Blocked owners keep their groups.
			owned, err := tree.SoleGroups(ctx, st, job.ID, tree.OwnerFilter{})
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
		u, err := tree.FindUser(ctx, st, job.ID)
		if err != nil {
			return fault.IgnoreNotFound(err)
		}
		left, err := membershipsOf(ctx, st, u.ID)
		if err != nil {
			return err
		}
		if err := emitMembersChanged(ctx, st, MemberRemoved, left...); err != nil {
			return err
		}
		if err := event.Emit(ctx, st, people.BeforeRemoval{Users: []tree.User{u}, Hard: job.Hard}); err != nil {
			return err
		}
		return fault.IgnoreNotFound(tree.DeleteUser(ctx, st, u.ID))
	})
}

// membershipsOf returns the direct memberships of a user in groups and projects.
func membershipsOf(ctx context.Context, s *db.Store, userID int64) ([]Member, error) {
	return db.Many[Member](ctx, s, `
		select `+memberColumns+` from members m`+memberUsers+`
		where m.user_id = @user and `+outsideOwnNamespace+` order by m.id`, pgx.NamedArgs{"user": userID})
}

// SweepJob removes groups whose deletion period has passed, expired memberships, and bots without a
// valid token, and accepts invitations that were held back.
type SweepJob struct{}

// Kind returns the name of the job.
func (SweepJob) Kind() string { return "sweep_groups" }

func sweep(ctx context.Context, st *db.Store, _ SweepJob) error {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return err
	}
	return st.Tx(ctx, func(st *db.Store) error {
		ids, err := tree.DueGroups(ctx, st, db.Today().Add(-settings.DeletionAdjournedPeriod))
		if err != nil {
			return err
		}
		due := make([]jobs.Args, len(ids))
		for i, id := range ids {
			due[i] = RemovalJob{ID: id}
		}
		if err := jobs.Enqueue(ctx, st, due...); err != nil {
			return err
		}
		expired, err := RemoveExpired(ctx, st)
		if err != nil {
			return err
		}
		if err := emitMembersChanged(ctx, st, MemberRemoved, expired...); err != nil {
			return err
		}
		if err := acceptInvitations(ctx, st, nil); err != nil {
			return err
		}
		_, err = removeIdleBots(ctx, st)
		return err
	})
}
