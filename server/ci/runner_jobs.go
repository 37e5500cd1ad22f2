package ci

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/policy"
	"hew/server/tree"
)

// RunnerJob is a job of a runner with what its list shows of other tables.
type RunnerJob struct {
	Job
	Project tree.Project
	At      code.Commit // zero if the repository does not have it any more
}

// RunnerJobFilter narrows a list of the jobs of a runner; zero fields do not.
type RunnerJobFilter struct {
	RunnerID int64
	For      tree.Viewer // of projects where the viewer is a reporter
	SystemID string      // of the manager
	Status   string
}

// RunnerJobs lists jobs of a runner.
func RunnerJobs(ctx context.Context, st *db.Store, f RunnerJobFilter, p db.Page) ([]RunnerJob, int, error) {
	w := db.NewWhere(pgx.NamedArgs{"user": f.For.UserID})
	w.And(`t.runner_id = @runner`, f.RunnerID)
	w.AndIf(!f.For.All, tree.Holds(int(policy.Reporter)))
	w.AndIf(f.SystemID != "", `t.runner_manager_id = (
		select m.id from runner_managers m where m.runner_id = t.runner_id and m.system_id = @system)`, f.SystemID)
	w.AndIf(f.Status != "", `t.status = @status`, f.Status)
	choose := `select t.id from jobs t`
	if !f.For.All {
		choose += ` join projects p on p.id = t.project_id join namespaces n on n.id = p.namespace_id`
	}
	found, total, err := db.ListChosen[Job](ctx, st, p, nil, "t.id", choose, selectJobs, w)
	if err != nil || len(found) == 0 {
		return nil, total, err
	}
	list := make([]RunnerJob, len(found))
	ids, commits := make([]int64, len(found)), make([]object.ID, len(found))
	for n, j := range found {
		list[n].Job, ids[n], commits[n] = j, j.ProjectID, j.Commit
	}
	projects, err := db.Many[tree.Project](ctx, st, tree.SelectProjects+` where p.id = any(@ids)`,
		pgx.NamedArgs{"ids": ids})
	if err != nil {
		return nil, 0, err
	}
	at, err := code.CommitsOf(ctx, st, ids, commits)
	if err != nil {
		return nil, 0, err
	}
	byID := map[int64]tree.Project{}
	for _, p := range projects {
		byID[p.ID] = p
	}
	for n := range list {
		list[n].Project, list[n].At = byID[list[n].ProjectID], at[n]
	}
	return list, total, nil
}

// BusyManagers returns which managers of a runner run a job.
func BusyManagers(ctx context.Context, st *db.Store, runnerID int64) (map[int64]bool, error) {
	ids, err := db.Values[int64](ctx, st, `
		select m.id from runner_managers m where m.runner_id = @runner and exists (
			select from jobs j where j.runner_manager_id = m.id and j.status in ('running', 'canceling'))`,
		pgx.NamedArgs{"runner": runnerID})
	busy := map[int64]bool{}
	for _, id := range ids {
		busy[id] = true
	}
	return busy, err
}

// RunnerBusy reports whether a runner runs a job.
func RunnerBusy(ctx context.Context, st *db.Store, runnerID int64) (bool, error) {
	return db.Value[bool](ctx, st, `
		select exists (select from jobs where runner_id = @runner and status in ('running', 'canceling'))`,
		pgx.NamedArgs{"runner": runnerID})
}
