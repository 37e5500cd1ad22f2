package ci

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/tree"
)

// ExternalStatus is what another system says of a commit.
type ExternalStatus struct {
	ProjectID   int64
	Commit      object.ID
	Ref         string
	Tag         bool
	Protected   bool   // the ref is
	PipelineID  *int64 // nil: the newest pipeline of ref and commit, or a new one
	Name        string
	State       status.Status // Pending, Running, Success, Failed, Canceled or Skipped
	TargetURL   *string
	Description *string
	Coverage    *float64 // percent
}

const (
	externalStage      = "external"
	externalStageIndex = 1_000_000 // after all stages of a definition
)

// externalEvent is the transition that leads to a state, and the states that it starts from.
type externalEvent struct {
	name string
	from []status.Status
}

var beforeStart = []status.Status{
	status.Created, status.WaitingForResource, status.Preparing, status.Pending,
}

// externalEvents are the transitions of external jobs by the state that they lead to.
var externalEvents = map[status.Status]externalEvent{
	status.Pending: {"enqueue", []status.Status{
		status.Created, status.WaitingForResource, status.Preparing, status.Skipped, status.Manual, status.Scheduled,
	}},
	status.Running:  {"run", beforeStart},
	status.Success:  {"success", append(slices.Clone(beforeStart), status.Running)},
	status.Failed:   {"drop", append(slices.Clone(beforeStart), status.Running, status.Manual, status.Scheduled)},
	status.Canceled: {"cancel", append(slices.Clone(beforeStart), status.Running, status.Manual, status.Scheduled)},
	status.Skipped:  {"skip", beforeStart},
}

// ReportStatus stores the status in a pipeline and returns its job. A status of a name that is not
// over yet changes; after one that is over, a new job takes its place. Admit may refuse the
// pipeline that the status goes to.
func ReportStatus(
	ctx context.Context, st *db.Store, e ExternalStatus, by tree.User, admit func(Pipeline) error,
) (made Job, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		p, err := e.pipeline(ctx, st, by)
		if err != nil {
			return err
		}
		if err := admit(p); err != nil {
			return err
		}
		if err := InPipeline(ctx, st, p.ID, func(c *Change) error { return e.report(c, by) }); err != nil {
			return err
		}
		made, err = newestJob(ctx, st, p.ID, e.Name)
		return err
	})
	return made, err
}

// pipeline returns the pipeline that the status goes to, and makes one if there is none. Two who
// report of the same commit at once make one.
func (e ExternalStatus) pipeline(ctx context.Context, st *db.Store, by tree.User) (Pipeline, error) {
	if e.PipelineID != nil {
		return db.One[Pipeline](ctx, st, "Pipeline", selectPipelines+`
			where t.id = @id and t.project_id = @project and t.commit_oid = @commit`,
			pgx.NamedArgs{"id": *e.PipelineID, "project": e.ProjectID, "commit": e.Commit})
	}
	thing := fmt.Sprintf("external pipeline of project %d for %s", e.ProjectID, e.Commit)
	if err := st.Exclusively(ctx, thing); err != nil {
		return Pipeline{}, err
	}
	p, err := LatestPipeline(ctx, st, e.ProjectID, e.Ref, e.Commit)
	if fault.CodeOf(err) != fault.CodeNotFound {
		return p, err
	}
	p, err = StorePipeline(ctx, st, Pipeline{
		ProjectID: e.ProjectID, Source: External, Ref: e.Ref, Tag: e.Tag, Commit: e.Commit, UserID: &by.ID,
		Protected: e.Protected,
	}, nil, nil)
	if err != nil || e.Tag {
		return p, err
	}
	return p, updateHeads{ProjectID: e.ProjectID, Branch: e.Ref}.now(ctx, st)
}

// report changes the job of the status, or adds one.
func (e ExternalStatus) report(c *Change, by tree.User) error {
	at := slices.IndexFunc(c.Jobs, func(j *Job) bool { return j.Name == e.Name })
	var j *Job
	switch {
	case at >= 0 && c.Jobs[at].Kind != ExternalKind:
		return fault.Invalid("name", db.Taken)
	case at >= 0 && !c.Jobs[at].Status.Complete():
		j = c.Jobs[at]
	default:
		j = &Job{
			ProjectID: e.ProjectID, PipelineID: c.Pipeline.ID, Kind: ExternalKind, Name: e.Name, Stage: externalStage,
			StageIndex: externalStageIndex, Status: status.Created, Starts: status.OnSuccess, UserID: &by.ID,
			Protected: e.Protected, Tags: []string{},
		}
		if at < 0 {
			c.Jobs = append(c.Jobs, j)
			break
		}
		old := c.Jobs[at]
		old.Retried, j.Retries = true, old.Retries+1
		c.retired, c.Jobs[at] = append(c.retired, old), j
	}
	if e.TargetURL != nil {
		j.TargetURL = e.TargetURL
	}
	if e.Description != nil {
		j.Description = e.Description
	}
	if e.Coverage != nil {
		j.Coverage = e.Coverage
	}
	return e.move(c, j)
}

// move gives a job the state of the status, if it can get there from its own.
func (e ExternalStatus) move(c *Change, j *Job) error {
	event := externalEvents[e.State]
	if !slices.Contains(event.from, j.Status) {
		return fault.BadRequest(fmt.Sprintf(
			`Cannot transition status via :%s from :%s (Reason(s): Status cannot transition via "%s")`,
			event.name, j.Status, event.name)).In(fault.Text)
	}
	if e.State == status.Running {
		c.Set(j, status.Pending)
	}
	if e.State == status.Failed {
		c.SetFailed(j, "api_failure")
		return nil
	}
	c.Set(j, e.State)
	return nil
}

// StatusFilter narrows the statuses of a commit; zero fields do not.
type StatusFilter struct {
	Ref, Stage, Name string
	PipelineID       *int64
	All              bool // those that newer ones took the place of, too
}

// ListStatuses lists the jobs of all kinds of a commit, in all of its pipelines.
func ListStatuses(
	ctx context.Context, st *db.Store, projectID int64, commit object.ID, f StatusFilter, page db.Page,
) ([]Job, int, error) {
	h := Jobs(st, projectID)
	h.Orders = db.Order{"id": "t.id", "pipeline_id": "t.pipeline_id"}
	return h.List(ctx, page, func(w *db.Where) {
		w.Selective = "jobs"
		w.And(`t.pipeline_id in (select x.id from pipelines x where x.project_id = @project and x.commit_oid = @commit)`)
		w.Args["commit"] = commit
		w.AndIf(!f.All, `not t.retried`)
		w.AndIf(f.Ref != "", `l.ref = @ref`, f.Ref)
		w.AndIf(f.Stage != "", `t.stage = @stage`, f.Stage)
		w.AndIf(f.Name != "", `t.name = @name`, f.Name)
		w.AndIf(f.PipelineID != nil, `t.pipeline_id = @of`, f.PipelineID)
	})
}
