package api

import (
	"context"
	"fmt"
	"time"

	"hew/server/ci"
	"hew/server/db"
	"hew/server/part"
)

// specimen creates n variables and n runners in a place; the last runner of a project has n
// managers. A project has n of what starts pipelines and of what they deploy to. One more runner of
// the project works for another project as well, and can be taken away from either.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	values := part.Values{"runners/system_id": "s_0", "here": fmt.Sprint(at.Group.ID)}
	var last int64
	for i := range n {
		key := fmt.Sprintf("KEY_%d_OF_%d", i, at.Group.ID) // those of the instance are beside those of other scenes
		if err := specimenVariable(ctx, h, at, key); err != nil {
			return nil, err
		}
		id, err := specimenRunner(ctx, h, at)
		if err != nil {
			return nil, err
		}
		values["key"], last = key, id
		if at.ProjectID != nil {
			values["runners/id"] = fmt.Sprint(id)
			for manager := range n {
				if err := specimenManager(ctx, h, id, manager); err != nil {
					return nil, err
				}
			}
		}
	}
	if at.ProjectID == nil {
		return values, nil
	}
	shared, err := specimenRunner(ctx, h, at)
	if err != nil {
		return nil, err
	}
	values["runner_id"] = fmt.Sprint(shared)
	schedule, err := specimenStarters(ctx, h, at, n, values)
	if err != nil {
		return nil, err
	}
	pipeline, err := specimenPipelines(ctx, h, at, last, schedule, n, values)
	if err != nil {
		return nil, err
	}
	r, err := specimenRequest(ctx, h, at)
	if err != nil {
		return nil, err
	}
	values["merge_request_iid"] = fmt.Sprint(r.IID)
	for range n {
		if _, err := ci.StorePipeline(ctx, h, ci.Pipeline{
			ProjectID: at.Project.ID, Source: ci.ByMergeRequest, Ref: r.HeadRef(), Commit: r.Head, UserID: &at.Owner.ID,
			MergeRequestID: &r.ID,
		}, nil, specimenJobs(1)); err != nil {
			return nil, err
		}
	}
	if err := specimenDeployments(ctx, h, at, n, pipeline, values); err != nil {
		return nil, err
	}
	_, err = ci.Assignments(h, at.Second.ID).Create(ctx, ci.Assignment{ProjectID: at.Second.ID, RunnerID: shared})
	return values, err
}

func specimenVariable(ctx context.Context, h *db.Store, at part.Place, key string) error {
	_, err := ci.CreateVariable(ctx, h, at.Container, ci.VariableEdit{
		Into:  func(v *ci.Variable) error { v.Key = key; return nil },
		Value: new("value"),
	})
	return err
}

func specimenRunner(ctx context.Context, h *db.Store, at part.Place) (id int64, err error) {
	r, err := ci.CreateRunner(ctx, h, at.Container, func(r *ci.Runner) error {
		r.CreatedByID = &at.Owner.ID
		return nil
	})
	return r.ID, err
}

func specimenManager(ctx context.Context, h *db.Store, runnerID int64, i int) error {
	return ci.RecordContact(ctx, h, ci.RunnerManager{
		RunnerID: runnerID, SystemID: fmt.Sprint("s_", i), ContactedAt: new(time.Now()),
	})
}
