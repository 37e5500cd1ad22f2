package api

import (
	"context"
	"fmt"

	"hew/server/ci"
	"hew/server/ci/expression"
	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/part"
)

// specimenStarters creates n of what starts pipelines of a project: schedules, each with n
// variables, and triggers.
func specimenStarters(
	ctx context.Context, h *db.Store, at part.Place, n int, values part.Values,
) (schedule int64, err error) {
	for i := range n {
		s, err := ci.Schedules(h, at.Project.ID).Create(ctx, ci.Schedule{ // more than a project may have
			ProjectID: at.Project.ID, OwnerID: &at.Owner.ID, Description: fmt.Sprint("Schedule ", i),
			Ref: "refs/heads/main", Cron: "0 4 31 2 *", Zone: "UTC", Active: true, Inputs: ci.NoInputs,
		})
		if err != nil {
			return 0, err
		}
		schedule, values["pipeline_schedule_id"] = s.ID, fmt.Sprint(s.ID)
		for v := range n {
			key := fmt.Sprintf("KEY_%d_OF_%d", v, at.Group.ID)
			given := expression.Variable{Key: key, Value: "value"}
			if _, err := ci.CreateScheduleVariable(ctx, h, s, given); err != nil {
				return 0, err
			}
		}
		t, err := ci.CreateTrigger(ctx, h, at.Project, at.Owner, fmt.Sprint("Trigger ", i), nil)
		if err != nil {
			return 0, err
		}
		values["trigger_id"], values["projects/ref"] = fmt.Sprint(t.ID), "main"
	}
	return schedule, nil
}

// specimenDeployments creates n environments of a project, each with n deployments, and n resource
// groups, for the last of which n jobs of a pipeline wait. It admits no jobs of others.
func specimenDeployments(
	ctx context.Context, h *db.Store, at part.Place, n int, pipeline int64, values part.Values,
) error {
	for i := range n {
		e, err := ci.ProvideEnvironment(ctx, h, at.Project.ID, fmt.Sprint("env-", i), "")
		if err != nil {
			return err
		}
		values["environment_id"] = fmt.Sprint(e.ID)
		for range n {
			d, err := ci.CreateDeployment(ctx, h, ci.Deployment{
				ProjectID: at.Project.ID, UserID: &at.Owner.ID, Commit: object.ID{1}, Ref: "main", Status: "success",
			}, e.Name)
			if err != nil {
				return err
			}
			values["deployment_id"] = fmt.Sprint(d.ID)
		}
		g, err := ci.ProvideResourceGroup(ctx, h, at.Project.ID, fmt.Sprint("group-", i))
		if err != nil {
			return err
		}
		values["resource_group_key"] = g.Key
		if i < n-1 {
			continue
		}
		for k := range n {
			if _, err := ci.Jobs(h, at.Project.ID).Create(ctx, ci.Job{
				ProjectID: at.Project.ID, PipelineID: pipeline, Kind: ci.Build, Name: fmt.Sprint("waits ", k),
				Stage: "deploy", StageIndex: 3, Status: status.WaitingForResource, Starts: status.OnSuccess,
				ResourceGroupID: &g.ID,
			}); err != nil {
				return err
			}
		}
	}
	values["target_project_id"], values["target_group_id"] = fmt.Sprint(at.Second.ID), fmt.Sprint(at.Group.ID)
	return nil
}
