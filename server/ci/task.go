package ci

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
)

// How often the clock is looked at, for schedules and for environments that are to be stopped.
const tickInterval = 15 * time.Second

// Tasks returns the jobs of the server's own queue that the domain has. In this package a job is
// one of a pipeline.
func Tasks(s Site) []jobs.Kind {
	return []jobs.Kind{
		jobs.On(assign), jobs.On(linkRequests), jobs.On(sweep),
		jobs.On(cancelPartsOf), jobs.On(removeArtifactsOfProject), jobs.On(summarize),
		jobs.On(dropRef), jobs.On(storeTrace).Lasting(10 * time.Minute), jobs.On(doStartDelayed),
		jobs.On(doWatchJobs).Each(watchEvery).Lasting(10 * time.Minute),
		jobs.On(doExpireArtifacts).Each(expireEvery).Lasting(10 * time.Minute),
		jobs.On(s.createRequested).Lasting(2 * planTime), jobs.On(s.start).Lasting(2 * planTime),
		jobs.On(followUp), jobs.On(mirrorFollowed), jobs.On(cancelOlder), jobs.On(updateHeadsOf),
		jobs.On(tick).Each(tickInterval), jobs.On(stopExpired).Each(time.Minute),
		jobs.On(s.run).Lasting(2 * time.Minute),
	}
}

// assignResource asks to give a resource group that may be free to the next job that waits for it.
type assignResource struct {
	GroupID int64 `json:"resource_group_id"`
}

// Kind implements jobs.Args.
func (assignResource) Kind() string { return "assign_resource" }

// resourceMode says which job t is the next one of a resource group.
type resourceMode struct {
	order string
	// strict is whether the others wait for a job that is first though it cannot start yet.
	strict bool
}

var resourceModes = map[string]resourceMode{
	"unordered":          {"t.id", false},
	"oldest_first":       {"t.pipeline_id, t.stage_index, t.id", true},
	"newest_first":       {"t.pipeline_id desc, t.stage_index, t.id", true},
	"newest_ready_first": {"t.pipeline_id desc, t.stage_index, t.id", false},
}

// upcoming returns the states of the jobs that are, or will be, waiting for the group.
func (m resourceMode) upcoming() []status.Status {
	if m.strict {
		return []status.Status{status.Created, status.Scheduled, status.WaitingForResource}
	}
	return []status.Status{status.WaitingForResource}
}

// assign starts the next job that waits for a resource group, unless a job has it. The group's row
// is locked before the pipeline's, and nobody who holds a pipeline asks for a group.
func assign(ctx context.Context, st *db.Store, task assignResource) error {
	return st.Tx(ctx, func(st *db.Store) error {
		args := pgx.NamedArgs{"group": task.GroupID}
		mode, err := db.Values[string](ctx, st, `
			select process_mode from resource_groups where id = @group for no key update`, args)
		if err != nil || len(mode) == 0 {
			return err
		}
		busy, err := db.Value[bool](ctx, st, `
			select exists (select from jobs where resource_group_id = @group
				and status in ('pending', 'running', 'canceling'))`, args)
		if err != nil || busy {
			return err
		}
		chosen := resourceModes[mode[0]]
		args["upcoming"] = chosen.upcoming()
		next, err := db.One[Job](ctx, st, "Job", selectJobs+`
			where t.resource_group_id = @group and t.status = any(@upcoming) and not t.retried
			order by `+chosen.order+` limit 1`, args)
		if err != nil || next.Status != status.WaitingForResource {
			return fault.IgnoreNotFound(err)
		}
		return InPipeline(ctx, st, next.PipelineID, func(c *Change) error {
			if j := c.Job(next.ID); j != nil && j.Status == status.WaitingForResource {
				c.Set(j, status.Pending)
				return nil
			}
			return jobs.Enqueue(ctx, c.Store, task) // it was canceled meanwhile: it is the turn of another
		})
	})
}

// startDownstream asks to start the pipeline of a bridge.
type startDownstream struct {
	jobs.Repeated
	JobID int64 `json:"job_id"`
}

// Kind implements jobs.Args.
func (startDownstream) Kind() string { return "start_downstream_pipeline" }

// followDownstream asks to give a bridge the state of the pipeline that it started.
type followDownstream struct {
	PipelineID int64 `json:"pipeline_id"`
}

// Kind implements jobs.Args.
func (followDownstream) Kind() string { return "follow_downstream_pipeline" }
