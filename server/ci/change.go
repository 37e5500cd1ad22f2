package ci

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"time"

	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/event"
	"hew/server/jobs"
)

// Change is a change of one pipeline and its jobs, in a transaction that holds the pipeline's lock.
// Code that changes the state of a job must use one, so that the consequences are decided in one
// place.
type Change struct {
	Store    *db.Store
	Pipeline Pipeline
	Jobs     []*Job // the newest of each name, by id; changed ones are stored when the change is over
	Now      time.Time

	stored  Pipeline
	was     map[int64]Job // the jobs as they are stored
	retired []*Job        // that newer ones took the place of
	retries map[*Job]*Job // new jobs, and the one that each is another try of
}

// InPipeline locks a pipeline, lets do change its jobs, starts or skips those that waited for them,
// and stores all of it. Then it emits the events of what has changed. It joins an open transaction,
// which must not hold another pipeline.
func InPipeline(ctx context.Context, st *db.Store, id int64, do func(*Change) error) error {
	return st.Tx(ctx, func(st *db.Store) error {
		p, err := lockPipeline(ctx, st, id)
		if err != nil {
			return err
		}
		list, err := jobsOf(ctx, st, p)
		if err != nil {
			return err
		}
		c := &Change{
			Store: st, Pipeline: p, Now: time.Now().Truncate(time.Millisecond), was: map[int64]Job{}, stored: p,
		}
		for n, j := range list {
			c.Jobs = append(c.Jobs, &list[n])
			c.was[j.ID] = j
		}
		if err := do(c); err != nil {
			return err
		}
		return c.finish(ctx)
	})
}

// Job returns the job with an id; nil if the pipeline has none, or only one that was retried.
func (c *Change) Job(id int64) *Job {
	at := slices.IndexFunc(c.Jobs, func(j *Job) bool { return j.ID == id })
	if at < 0 {
		return nil
	}
	return c.Jobs[at]
}

// Set gives a job another state, with the times that belong to it.
func (c *Change) Set(j *Job, to status.Status) {
	if j.Status == to {
		return
	}
	j.Status = to
	switch {
	case to == status.Pending:
		j.QueuedAt = &c.Now
	case to == status.Running && j.StartedAt == nil:
		j.StartedAt = &c.Now
	case to == status.Scheduled:
		in := 0
		if j.StartIn != nil {
			in = *j.StartIn
		}
		j.ScheduledAt = new(c.Now.Add(time.Duration(in) * time.Second))
	case to.Complete():
		j.FinishedAt = &c.Now
	}
}

// SetFailed ends a job as failed, for a reason that the API names (gaps §10.3).
func (c *Change) SetFailed(j *Job, reason string) {
	c.Set(j, status.Failed)
	j.FailureReason = &reason
}

// finish decides about the jobs that waited, and stores what has changed.
func (c *Change) finish(ctx context.Context) error {
	if err := c.withdrawLeave(ctx); err != nil {
		return err
	}
	c.process()
	changed, err := c.storeJobs(ctx)
	if err != nil {
		return err
	}
	before := c.Pipeline.Status
	c.settle()
	if before == c.Pipeline.Status && len(changed) == 0 {
		return nil
	}
	if !reflect.DeepEqual(c.stored, c.Pipeline) {
		if err := c.Store.Update(ctx, "pipelines", c.Pipeline); err != nil {
			return err
		}
	}
	c.Pipeline.judge(c.Jobs)
	if err := c.follow(ctx, changed); err != nil {
		return err
	}
	return event.Emit(ctx, c.Store, Changed{Pipeline: c.Pipeline, Before: before, Jobs: changed})
}

// process starts or skips the jobs that have nothing to wait for any more.
func (c *Change) process() {
	nodes := c.nodes()
	for _, n := range status.Process(nodes) {
		c.Set(c.Jobs[n], nodes[n].Status)
	}
}

// nodes returns the jobs as package status sees them.
func (c *Change) nodes() []status.Job {
	nodes := make([]status.Job, len(c.Jobs))
	for n, j := range c.Jobs {
		nodes[n] = status.Job{
			Name: j.Name, Stage: j.StageIndex, Status: j.Status, When: j.Starts, AllowFailure: j.AllowFailure,
			ByNeeds: j.ByNeeds, Needs: j.Needs, Exclusive: j.ResourceGroupID != nil,
		}
	}
	return nodes
}

// storeJobs stores the jobs that have changed, and returns those with another state.
func (c *Change) storeJobs(ctx context.Context) (changed []JobChange, err error) {
	var rows []Job
	for _, j := range c.retired {
		rows = append(rows, *j)
		if was := c.was[j.ID]; was.Status != j.Status { // it failed, and its definition says to run it again
			changed = append(changed, JobChange{Job: *j, Before: was.Status})
		}
	}
	for n, j := range c.Jobs {
		was, known := c.was[j.ID]
		if !known {
			if j.ID, err = c.Store.Insert(ctx, "jobs", *j); err != nil {
				return nil, err
			}
			if *c.Jobs[n], err = FindJob(ctx, c.Store, j.ID); err != nil {
				return nil, err
			}
		} else if !was.same(*j) {
			rows = append(rows, *j)
		}
		if was.Status != j.Status {
			changed = append(changed, JobChange{Job: *j, Before: was.Status})
		}
	}
	if err := c.carryVariables(ctx); err != nil {
		return nil, err
	}
	return changed, db.UpdateAll(ctx, c.Store, "jobs", rows)
}

// settle gives the pipeline the state that its jobs come to, and its times.
func (c *Change) settle() {
	if len(c.Jobs) == 0 {
		return
	}
	p := &c.Pipeline
	p.Status = status.Of(c.nodes())
	if p.StartedAt == nil && slices.ContainsFunc(c.Jobs, func(j *Job) bool { return j.StartedAt != nil }) {
		p.StartedAt = &c.Now
		p.QueuedDuration = new(int(c.Now.Sub(p.CreatedAt).Seconds()))
	}
	if !p.Status.Complete() || p.Status == status.Skipped { // one that never ran has no end
		p.FinishedAt, p.Duration = nil, nil
		return
	}
	if p.FinishedAt == nil {
		p.FinishedAt = &c.Now
		p.Duration = c.duration()
	}
}

// duration returns for how many seconds some job of the pipeline ran; nil if none did.
func (c *Change) duration() *int {
	var spans []span
	for _, j := range c.Jobs {
		if j.StartedAt != nil && j.FinishedAt != nil && j.Kind != ExternalKind {
			spans = append(spans, span{*j.StartedAt, *j.FinishedAt})
		}
	}
	if len(spans) == 0 {
		return nil
	}
	return new(int(union(spans).Seconds()))
}

// follow enqueues what has to happen after jobs got other states.
func (c *Change) follow(ctx context.Context, changed []JobChange) error {
	var due []jobs.Args
	queued := false
	for _, j := range changed {
		if j.Job.Kind == Build && j.Before != "" && j.Before.Started() && j.Job.Status.Complete() {
			due = append(due, archiveTrace{JobID: j.Job.ID})
		}
		switch {
		case j.Job.Status == status.Pending && j.Job.Kind == Bridge:
			due = append(due, startDownstream{JobID: j.Job.ID})
		case j.Job.Status == status.Pending && j.Job.Kind == Build:
			queued = true
		case j.Job.Status == status.Scheduled:
			due = append(due, startDelayed{At: jobs.At{Time: *j.Job.ScheduledAt}, JobID: j.Job.ID})
		case j.Job.Status == status.WaitingForResource, j.Job.ResourceGroupID != nil && j.releases():
			due = append(due, assignResource{GroupID: *j.Job.ResourceGroupID})
		}
	}
	if c.Pipeline.Status.Complete() && c.Pipeline.StartedAt != nil { // a runner may have had a job of it
		due = append(due, dropPipelineRef{PipelineID: c.Pipeline.ID})
	}
	if c.Pipeline.UpstreamJobID != nil {
		due = append(due, followDownstream{PipelineID: c.Pipeline.ID})
	}
	if c.Pipeline.Followed {
		due = append(due, followMirrored{PipelineID: c.Pipeline.ID})
	}
	if queued {
		if err := c.Store.Notify(ctx, db.WaitingJobs, strconv.FormatInt(c.Pipeline.ID, 10)); err != nil {
			return err
		}
	}
	return jobs.Enqueue(ctx, c.Store, due...)
}
