package project

import (
	"context"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/setting"
	"hew/server/tree"
)

// removalJob removes a project that is marked for deletion.
type removalJob struct {
	ID int64 `json:"id"`
}

// Kind returns the name of the job.
func (removalJob) Kind() string { return "remove_project" }

// sweepJob removes the projects whose deletion period has passed.
type sweepJob struct{}

// Kind returns the name of the job.
func (sweepJob) Kind() string { return "sweep_projects" }

// removeMarked removes a project if it is still marked for deletion.
func removeMarked(ctx context.Context, st *db.Store, job removalJob) error {
	return fault.IgnoreNotFound(st.Tx(ctx, func(st *db.Store) error {
		p, err := tree.HoldProject(ctx, st, job.ID)
		if err != nil || p.MarkedForDeletionOn == nil {
			return err
		}
		if err := event.Emit(ctx, st, BeforeRemoval{p}); err != nil {
			return err
		}
		return tree.RemoveProject(ctx, st, job.ID)
	}))
}

func sweep(ctx context.Context, st *db.Store, _ sweepJob) error {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return err
	}
	return st.Tx(ctx, func(st *db.Store) error {
		ids, err := tree.DueProjects(ctx, st, db.Today().Add(-settings.DeletionAdjournedPeriod))
		if err != nil {
			return err
		}
		due := make([]jobs.Args, len(ids))
		for i, id := range ids {
			due[i] = removalJob{ID: id}
		}
		return jobs.Enqueue(ctx, st, due...)
	})
}

// RemoveReplaced removes a project at once, because an import takes its place. The caller has asked
// whether the importer may do that.
func RemoveReplaced(ctx context.Context, st *db.Store, p tree.Project) error {
	if err := event.Emit(ctx, st, BeforeRemoval{p}); err != nil {
		return err
	}
	return tree.RemoveProject(ctx, st, p.ID)
}
