package api

import (
	"context"
	"fmt"

	"hew/server/ci"
	"hew/server/ci/expression"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/part"
)

// specimenStarters creates n of what starts pipelines of a project: schedules, the last of which has
// n variables, and triggers.
func specimenStarters(ctx context.Context, h *db.Store, at part.Place, n int, values part.Values) error {
	for i := range n {
		s, err := ci.CreateSchedule(ctx, h, at.Project, at.Owner, func(_ *db.Store, s *ci.Schedule) error {
			s.Description, s.Ref, s.Cron = fmt.Sprint("Schedule ", i), "main", "0 4 31 2 *"
			return nil
		})
		if err != nil {
			return err
		}
		values["pipeline_schedule_id"] = fmt.Sprint(s.ID)
		for v := range n {
			key := fmt.Sprintf("KEY_%d_OF_%d", v, at.Group.ID)
			given := expression.Variable{Key: key, Value: "value"}
			if _, err := ci.CreateScheduleVariable(ctx, h, s, given); err != nil {
				return err
			}
		}
		t, err := ci.CreateTrigger(ctx, h, at.Project, at.Owner, fmt.Sprint("Trigger ", i), nil)
		if err != nil {
			return err
		}
		values["trigger_id"] = fmt.Sprint(t.ID)
	}
	return nil
}

// specimenDeployments creates n environments of a project, each with n deployments, n resource
// groups, and admits the jobs of a project and of the group.
func specimenDeployments(ctx context.Context, h *db.Store, at part.Place, n int, values part.Values) error {
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
		values["resource_groups/key"] = g.Key
	}
	scopes := ci.TokenScopes(h, at.Project.ID)
	for _, s := range []ci.TokenScope{{FromProjectID: &at.Second.ID}, {FromGroupID: &at.Group.ID}} {
		s.ProjectID = at.Project.ID
		if _, err := scopes.Create(ctx, s); err != nil {
			return err
		}
	}
	values["target_project_id"], values["target_group_id"] = fmt.Sprint(at.Second.ID), fmt.Sprint(at.Group.ID)
	return nil
}
