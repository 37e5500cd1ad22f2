package group

import (
	"context"

	"hew/server/db"
	"hew/server/jobs"
	"hew/server/setting"
	"hew/server/tree"
)

// SweepJob ends what is over: groups whose deletion period has passed, memberships that have expired, bots without a
// token. It accepts invitations that had to wait.
type SweepJob struct{}

// Kind names the job.
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
		if err := TellMembers(ctx, st, memberRemoved, expired...); err != nil {
			return err
		}
		if err := acceptInvitations(ctx, st, nil); err != nil {
			return err
		}
		_, err = RemoveIdleBots(ctx, st)
		return err
	})
}
