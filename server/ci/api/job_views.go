package api

import (
	"context"
	"time"

	"hew/server/auth"
	"hew/server/ci"
	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// jobViews shows jobs of a project, with what was read once for all of them.
type jobViews struct {
	*view.Site
	project    tree.Project
	now        time.Time
	users      map[int64]tree.User
	runners    map[int64]ci.Runner
	pipelines  map[int64]ci.Pipeline
	downstream map[int64]ci.Pipeline // by the job that started it
	artifacts  map[int64][]ci.Artifact
	commits    map[object.ID]code.Commit
}

// JobView is a job as its own routes and those of other parts show it.
type JobView = jobView

// ViewJobs returns how jobs of a project are shown. It takes as many statements for many as for
// one.
func ViewJobs(ctx context.Context, st *db.Store, site *view.Site, p tree.Project, jobs []ci.Job) ([]JobView, error) {
	v := jobViews{Site: site, project: p, now: time.Now()}
	if err := v.read(ctx, st, jobs); err != nil {
		return nil, err
	}
	shown := make([]jobView, len(jobs))
	for n, j := range jobs {
		shown[n] = v.view(j)
	}
	return shown, nil
}

// read reads what the jobs refer to.
func (v *jobViews) read(ctx context.Context, st *db.Store, jobs []ci.Job) (err error) {
	if len(jobs) == 0 {
		return nil
	}
	var ids, bridges, users, runners, pipelines []int64
	var commits []object.ID
	for _, j := range jobs {
		if j.Kind == ci.Bridge {
			bridges = append(bridges, j.ID)
		} else {
			ids = append(ids, j.ID)
		}
		users, runners = db.AppendNotNull(users, j.UserID), db.AppendNotNull(runners, j.RunnerID)
		pipelines, commits = append(pipelines, j.PipelineID), append(commits, j.Commit)
	}
	if v.users, err = tree.UsersByID(ctx, st, users); err != nil {
		return err
	}
	if v.pipelines, err = ci.PipelinesByID(ctx, st, pipelines); err != nil {
		return err
	}
	if len(runners) > 0 {
		if v.runners, err = ci.RunnersByID(ctx, st, runners); err != nil {
			return err
		}
	}
	if len(bridges) > 0 {
		caller := auth.From(ctx)
		viewer := tree.Viewer{UserID: caller.ID(), All: caller.Admin()}
		if v.downstream, err = ci.DownstreamOf(ctx, st, bridges, viewer, scope.OpenTo(caller)); err != nil {
			return err
		}
	}
	if len(ids) > 0 {
		if v.artifacts, err = ci.ArtifactsOf(ctx, st, ids...); err != nil {
			return err
		}
	}
	return v.readCommits(ctx, st, commits)
}

// readCommits reads the commits of jobs. One that was removed from the repository is not shown.
func (v *jobViews) readCommits(ctx context.Context, st *db.Store, ids []object.ID) error {
	g, err := code.Open(ctx, st, v.project)
	if err != nil {
		return err
	}
	list, err := g.Commits(ctx, ids)
	v.commits = make(map[object.ID]code.Commit, len(list))
	for _, c := range list {
		v.commits[c.ID] = c
	}
	return err
}

// one shows a job after an act, or passes on an error.
func (a jobs) one(ctx context.Context, s inJob, j ci.Job, err error) (none jobView, _ error) {
	if err != nil {
		return none, err
	}
	shown, err := ViewJobs(ctx, s.Store, a.Site, s.Project.Project, []ci.Job{j})
	if err != nil {
		return none, err
	}
	return shown[0], nil
}

// page shows a page of jobs, or passes on an error.
func (a jobs) page(
	ctx context.Context, st *db.Store, p tree.Project, found []ci.Job, total int, err error,
) (list rest.List[jobView], _ error) {
	if err != nil {
		return list, err
	}
	shown, err := ViewJobs(ctx, st, a.Site, p, found)
	return rest.Page(shown, total, err)
}
