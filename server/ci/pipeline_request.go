package ci

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/expression"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/jobs"
	"hew/server/merge"
	"hew/server/tree"
)

// A push or a new version of a merge request stores what a pipeline may be needed for in its own
// transaction, and a task creates the pipeline afterwards: nobody waits for the files of other
// hosts, the task sees what was pushed, and a process that dies loses nothing. The row goes in the
// transaction that stores the pipeline, so that no task creates a second one.

// pipelineRequest is a row of pipeline_requests.
type pipelineRequest struct {
	ID             int64     `db:"id,auto"`
	ProjectID      int64     `db:"project_id"`
	UserID         int64     `db:"user_id"`
	MergeRequestID *int64    `db:"merge_request_id"`
	Ref            string    `db:"ref"`
	Commit         object.ID `db:"commit_oid"`
	Before         object.ID `db:"before_oid"`
	Sealed         []byte    `db:"sealed"` // pushOptions
	CreatedAt      time.Time `db:"created_at,auto"`
}

// pushOptions is what a push says about its pipelines.
type pushOptions struct {
	Variables []expression.Variable `json:"variables,omitempty"`
	Inputs    []expression.Variable `json:"inputs,omitempty"`
	Skip      bool                  `json:"skip,omitempty"`
}

const requestOptions = "pipeline_requests.options"

// store stores a request with its options, and enqueues its task.
func (r pipelineRequest) store(ctx context.Context, st *db.Store, o pushOptions) (err error) {
	if r.ID, err = st.NextID(ctx, "pipeline_requests"); err != nil {
		return err
	}
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	r.Sealed = st.Seal.Seal(requestOptions, r.ID, text)
	if _, err := st.Insert(ctx, "pipeline_requests", r); err != nil {
		return err
	}
	return jobs.Enqueue(ctx, st, createPipeline{RequestID: r.ID})
}

// createPipeline asks to create the pipeline of a request.
type createPipeline struct {
	jobs.Repeated
	RequestID int64 `json:"request_id"`
}

// Kind implements jobs.Args.
func (createPipeline) Kind() string { return "create_pipeline" }

// errTaken says that another task has created the pipeline of a request.
var errTaken = errors.New("the pipeline was created already")

// createRequested creates the pipeline of a request, after those of earlier requests for the ref.
func (s Site) createRequested(ctx context.Context, st *db.Store, task createPipeline) error {
	list, err := db.Many[pipelineRequest](ctx, st, `
		select t.* from pipeline_requests t join pipeline_requests l on l.id = @id
		where t.project_id = l.project_id and t.ref = l.ref and t.id <= l.id order by t.id limit 100`,
		pgx.NamedArgs{"id": task.RequestID})
	if err != nil {
		return err
	}
	for _, r := range list {
		err := s.createFor(ctx, st, r)
		if r.ID == task.RequestID || ctx.Err() != nil {
			return err
		}
	}
	return nil
}

// createFor creates the pipeline of a request, if there is to be one.
func (s Site) createFor(ctx context.Context, st *db.Store, r pipelineRequest) error {
	remove := func(ctx context.Context, st *db.Store) error {
		n, err := st.Affected(ctx, `delete from pipeline_requests where id = @id`, pgx.NamedArgs{"id": r.ID})
		if err == nil && n == 0 {
			err = errTaken
		}
		return err
	}
	order, err := s.orderOf(ctx, st, r)
	if err == nil {
		order.finish = remove
		_, err = Create(ctx, st, s, order)
	} else if fault.CodeOf(err) != fault.CodeInternal {
		err = remove(ctx, st)
	}
	if err == errTaken || fault.CodeOf(err) == fault.CodeInvalid {
		return nil
	}
	return err
}

// orderOf returns what a request asks for. A fault says that there is to be no pipeline.
func (s Site) orderOf(ctx context.Context, st *db.Store, r pipelineRequest) (o Order, err error) {
	text, err := st.Seal.Open(requestOptions, r.ID, r.Sealed)
	if err != nil {
		return o, err
	}
	var options pushOptions
	if err := json.Unmarshal(text, &options); err != nil {
		return o, err
	}
	by, err := tree.FindUser(ctx, st, r.UserID)
	if err != nil {
		return o, err
	}
	if r.MergeRequestID != nil {
		return s.requestOrder(ctx, st, *r.MergeRequestID, by, r.Commit)
	}
	o = Order{
		By: by, Source: ByPush, Ref: r.Ref, Commit: r.Commit, Before: r.Before, Variables: options.Variables,
		Skip: options.Skip, Inputs: inputsNode(options.Inputs),
	}
	o.Project, err = tree.FindProject(ctx, st, r.ProjectID)
	return o, err
}

// requestOrder returns the pipeline that a new version of a merge request has, unless it has one.
func (s Site) requestOrder(ctx context.Context, st *db.Store, id int64, by tree.User, head object.ID) (Order, error) {
	byID, err := merge.RequestsByID(ctx, st, []int64{id})
	if err != nil {
		return Order{}, err
	}
	r, ok := byID[id]
	if !ok || !r.IsOpen() || r.Head != head || r.Head == r.Base {
		return Order{}, fault.NotFound("Merge Request")
	}
	exists, err := db.Value[bool](ctx, st, `
		select exists (select from pipelines where merge_request_id = @id
			and coalesce(source_oid, commit_oid) = @head and source = 'merge_request_event')`,
		pgx.NamedArgs{"id": id, "head": head})
	if err == nil && exists {
		err = fault.NotFound("Merge Request")
	}
	if err != nil {
		return Order{}, err
	}
	return OrderForRequest(ctx, st, r, by)
}

// requestName is the ref of the requests for a merge request.
func requestName(id int64) string { return fmt.Sprint("merge request ", id) }
