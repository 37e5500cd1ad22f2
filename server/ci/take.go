package ci

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/definition"
	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/people"
	"hew/server/secret"
)

// Taker is a runner that asks for a job.
type Taker struct {
	Runner   Runner
	SystemID string          // of its manager
	Features map[string]bool // that its manager has, in the words of the protocol
}

// Taken is a job that a runner has been given, with the token that works while it runs.
type Taken struct {
	Job        Job
	Pipeline   Pipeline
	Definition Definition
	Token      string

	needed []Job // the jobs of the pipeline whose artifacts it gets
}

// takeRounds is how often a runner looks for jobs before it tells that others took all that it saw.
const takeRounds = 4

// TakeJob gives a runner the next job that it may run. Without one found is false. A conflict means
// that there were jobs, and others took all of them.
func TakeJob(ctx context.Context, st *db.Store, by Taker) (taken Taken, found bool, err error) {
	if by.Runner.Paused {
		return taken, false, nil
	}
	for round := range takeRounds {
		most := queueJobs
		if round == 0 {
			most = 1 // the best job of each project is nearly always enough
		}
		list, err := candidates(ctx, st, by.Runner, most)
		if err != nil || len(list) == 0 {
			return taken, false, err
		}
		// Pipelines that somebody has locked come last: many runners ask at once.
		taken, found, err = by.takeFree(ctx, st, list)
		for n := 0; n < len(list) && round > 0 && !found && err == nil; n++ {
			taken, found, err = by.takeFrom(ctx, st, list[n])
		}
		if found || err != nil {
			return taken, found, err
		}
	}
	return taken, false, fault.Conflict("409 Conflict")
}

// takeFree takes a job of the first pipeline that nobody has locked.
func (by Taker) takeFree(
	ctx context.Context, st *db.Store, list []candidate,
) (taken Taken, found bool, err error) {
	ids := make([]int64, len(list))
	for n, of := range list {
		ids[n] = of.PipelineID
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		free, err := db.Values[int64](ctx, st, `
			select id from pipelines where id = any(@ids) order by array_position(@ids, id) limit 1
			for no key update skip locked`, pgx.NamedArgs{"ids": ids})
		if err == nil && len(free) > 0 {
			taken, found, err = by.takeFrom(ctx, st, list[slices.Index(ids, free[0])])
		}
		return err
	})
	return taken, found && err == nil, err
}

// takeFrom takes the first job of a pipeline that still waits and that the runner may run.
func (by Taker) takeFrom(ctx context.Context, st *db.Store, of candidate) (taken Taken, found bool, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		var change *Change
		err := InPipeline(ctx, st, of.PipelineID, func(c *Change) error {
			change = c
			for _, j := range c.Jobs {
				if j.Status != status.Pending || j.Kind != Build || !by.Runner.mayRun(j.Tags, j.Protected) {
					continue
				}
				if found, err = by.take(ctx, c, j, of.Timeout, &taken); err != nil || found {
					return err
				}
			}
			return nil
		})
		if found && err == nil {
			taken.Job, taken.Pipeline = *change.Job(taken.Job.ID), change.Pipeline
			taken.Job.PipelineStatus = taken.Pipeline.Status
		}
		return err
	})
	return taken, found && err == nil, fault.IgnoreNotFound(err)
}

// take gives a job to the runner, unless it cannot run.
func (by Taker) take(ctx context.Context, c *Change, j *Job, timeout int, taken *Taken) (bool, error) {
	d, err := ReadDefinition(ctx, c.Store, *j)
	if err != nil {
		return false, err
	}
	needed, reason := dependencies(*j, d, c.Jobs), ""
	if !by.supports(d) {
		reason = "runner_unsupported"
	} else if e := d.Environment; e != nil && j.EnvironmentID == nil && !isEnvironment(e.Name) {
		reason = "environment_creation_failure"
	} else if gone, err := c.lacksArtifacts(ctx, needed); err != nil {
		return false, err
	} else if gone {
		reason = "missing_dependency_failure"
	}
	if reason != "" {
		c.failByDefinition(j, d, Outcome{Reason: reason})
		return false, nil
	}
	manager, err := db.Values[int64](ctx, c.Store, `
		select id from runner_managers where runner_id = @runner and system_id = @system`,
		pgx.NamedArgs{"runner": by.Runner.ID, "system": by.SystemID})
	if err != nil {
		return false, err
	}
	if len(manager) > 0 {
		j.RunnerManagerID = &manager[0]
	}
	if j.Timeout != nil {
		timeout = *j.Timeout
	}
	if most := by.Runner.MaximumTimeout; most != nil {
		timeout = min(timeout, *most)
	}
	token := secret.NewToken(people.JobTokenPrefix)
	digest := secret.Digest(token)
	j.RunnerID, j.Timeout, j.TokenDigest = &by.Runner.ID, &timeout, digest[:]
	j.Graceful = by.Features["cancel_gracefully"]
	c.Set(j, status.Running)
	*taken = Taken{Job: *j, Pipeline: c.Pipeline, Definition: d, Token: token}
	for _, of := range needed {
		taken.needed = append(taken.needed, *of)
	}
	return true, nil
}

// supports reports whether the manager has the features that a job takes (CI facts §4.3). One that
// tells of none is a program that does not know of features, and gets every job that the protocol
// had before there were any.
func (by Taker) supports(d Definition) bool {
	if len(by.Features) == 0 {
		return len(d.Options.Run) == 0
	}
	for feature, needs := range features {
		if !by.Features[feature] && needs(d) {
			return false
		}
	}
	return true
}

// features are the features of runners that not all have, with whether a job needs them.
var features = map[string]func(d Definition) bool{
	"artifacts_exclude": func(d Definition) bool {
		return d.Options.Artifacts != nil && len(d.Options.Artifacts.Exclude) > 0
	},
	"upload_multiple_artifacts": func(d Definition) bool {
		return d.Options.Artifacts != nil && len(d.Options.Artifacts.Reports) > 0
	},
	"multi_build_steps":        func(d Definition) bool { return d.Options.Release != nil },
	"return_exit_code":         func(d Definition) bool { return len(d.AllowExitCodes) > 0 },
	"native_steps_integration": func(d Definition) bool { return len(d.Options.Run) > 0 },
	"fallback_cache_keys": func(d Definition) bool {
		return slices.ContainsFunc(d.Options.Cache, func(c definition.Cache) bool { return len(c.FallbackKeys) > 0 })
	},
}

// dependencies returns the jobs whose artifacts a job gets, of all jobs of its pipeline (CI facts
// §1.5): those that it names, or its needs with artifacts, or all jobs of earlier stages.
func dependencies(j Job, d Definition, all []*Job) (found []*Job) {
	wanted := func(of *Job) bool { return of.StageIndex < j.StageIndex }
	switch {
	case d.Options.Dependencies != nil:
		wanted = func(of *Job) bool { return slices.Contains(d.Options.Dependencies, of.Name) }
	case j.ByNeeds:
		wanted = func(of *Job) bool {
			for _, need := range d.Needs {
				if need.Job == of.Name && need.Artifacts {
					return true
				}
			}
			return false
		}
	}
	for _, of := range all {
		if of.Kind == Build && of.ID != j.ID && wanted(of) {
			found = append(found, of)
		}
	}
	return found
}

// lacksArtifacts reports whether artifacts of needed jobs have expired or were erased.
func (c *Change) lacksArtifacts(ctx context.Context, needed []*Job) (bool, error) {
	var ids []int64
	for _, of := range needed {
		if of.ArtifactsExpireAt != nil {
			ids = append(ids, of.ID)
		}
	}
	if len(ids) == 0 {
		return false, nil
	}
	return db.Value[bool](ctx, c.Store, `
		select exists (select from jobs j where j.id = any(@jobs)
			and (j.erased_at is not null or j.artifacts_expire_at <= now())
			and not exists (select from job_artifacts a where a.job_id = j.id and a.file_type = 'archive'))`,
		pgx.NamedArgs{"jobs": ids})
}
