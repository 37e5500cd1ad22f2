package api

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"hew/server/ci"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// schedules are the routes of pipeline schedules (CI facts §2.3).
type schedules struct{ *view.Site }

func (a schedules) routes() []rest.Route {
	const path = "/projects/{id}/pipeline_schedules"
	const one = path + "/{pipeline_schedule_id}"
	read, run := scope.ForProject(readSchedule), scope.ForProject(policy.CreatePipeline)
	return append([]rest.Route{
		rest.Get(path, read, a.list),
		rest.Get(one, read, a.show),
		rest.Get(one+"/pipelines", read, a.pipelines),
		rest.Post(path, run, a.create),
		rest.Put(one, run, a.update),
		rest.Delete(one, run, a.delete),
		rest.Post(one+"/take_ownership", run, a.take),
		rest.Post(one+"/play", run, a.play),
	}, a.variableRoutes(one, run)...)
}

// scheduleView is a schedule in a list.
type scheduleView struct {
	ID          int64           `json:"id"`
	Description string          `json:"description"`
	Ref         string          `json:"ref"`
	Cron        string          `json:"cron"`
	Zone        string          `json:"cron_timezone"`
	NextRunAt   *time.Time      `json:"next_run_at"`
	Active      bool            `json:"active"`
	CreatedAt   time.Time       `json:"created_at"`
	UpdatedAt   time.Time       `json:"updated_at"`
	Owner       *view.BasicUser `json:"owner"`
}

func (a schedules) view(s ci.Schedule) scheduleView {
	return scheduleView{
		ID: s.ID, Description: s.Description, Ref: s.Ref, Cron: s.Cron, Zone: s.Zone, NextRunAt: s.NextRunAt,
		Active: s.Active, CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt, Owner: a.Author(s.Owner),
	}
}

// scheduleShown is one schedule. Only those who may change it see the variables.
type scheduleShown struct {
	scheduleView
	LastPipeline *lastPipelineView `json:"last_pipeline"`
	Variables    []givenVariable   `json:"variables,omitzero"`
	Inputs       json.RawMessage   `json:"inputs"`
}

// lastPipelineView is the last pipeline of a schedule.
type lastPipelineView struct {
	ID     int64  `json:"id"`
	SHA    string `json:"sha"`
	Ref    string `json:"ref"`
	Status string `json:"status"`
}

// one shows a schedule with its last pipeline.
func (a schedules) one(ctx context.Context, in scope.InProject, s ci.Schedule, err error) (scheduleShown, error) {
	out := scheduleShown{scheduleView: a.view(s), Inputs: s.Inputs}
	if err != nil {
		return out, err
	}
	last, err := ci.LastOf(ctx, in.Store, s.ID)
	if err != nil {
		return out, err
	}
	if last != nil {
		out.LastPipeline = &lastPipelineView{last.ID, last.Commit.String(), last.Ref, string(last.Status)}
	}
	if mayChange(in, s) {
		variables, err := ci.ScheduleVariables(ctx, in.Store, s.ID)
		if err != nil {
			return out, err
		}
		out.Variables = givenViews(variables)
	}
	return out, nil
}

// mayChange reports whether the caller may change a schedule: its owner may, and maintainers.
func mayChange(in scope.InProject, s ci.Schedule) bool {
	return s.OwnerID != nil && *s.OwnerID == in.Caller.ID() && in.Can(policy.CreatePipeline) || in.Can(adminPipeline)
}

type scheduleList struct {
	rest.Paging
	Scope string `param:"scope" oneof:"active inactive"`
}

func (a schedules) list(ctx context.Context, s scope.InProject, in scheduleList) (rest.List[scheduleView], error) {
	var active *bool
	if in.Scope != "" {
		active = new(in.Scope == "active")
	}
	return rest.Pages(a.view)(ci.Schedules(s.Store, s.Project.ID).List(ctx, scope.PageOf(in.Paging), ci.InState(active)))
}

type scheduleID struct {
	ID int64 `param:"pipeline_schedule_id"`
}

func (in scheduleID) find(ctx context.Context, s scope.InProject) (ci.Schedule, error) {
	return ci.Schedules(s.Store, s.Project.ID).One(ctx, db.ByID(in.ID))
}

// forChange returns the schedule, if the caller may change it.
func (in scheduleID) forChange(ctx context.Context, s scope.InProject) (ci.Schedule, error) {
	row, err := in.find(ctx, s)
	if err == nil && !mayChange(s, row) {
		err = fault.Forbidden("")
	}
	return row, err
}

func (a schedules) show(ctx context.Context, s scope.InProject, in scheduleID) (scheduleShown, error) {
	row, err := in.find(ctx, s)
	return a.one(ctx, s, row, err)
}

type schedulePipelines struct {
	rest.Paging
	scheduleID
}

// pipelines lists what a schedule has started.
func (a schedules) pipelines(
	ctx context.Context, s scope.InProject, in schedulePipelines,
) (rest.List[basicPipeline], error) {
	row, err := in.find(ctx, s)
	if err != nil {
		return rest.List[basicPipeline]{}, err
	}
	list := ci.Pipelines(s.Store, s.Project.ID)
	return rest.Pages(pipelineViews(a).basic)(list.List(ctx, scope.PageOf(in.Paging), ci.OfSchedule(row.ID)))
}

type scheduleNew struct {
	Description string `param:"description,required"`
	Ref         string `param:"ref,required"`
	Cron        string `param:"cron,required"`
	Zone        string `param:"cron_timezone" default:"UTC"`
	Active      bool   `param:"active" default:"true"`
	scheduleInputs
}

func (a schedules) create(ctx context.Context, s scope.InProject, in scheduleNew) (scheduleShown, error) {
	if err := mayRunRef(ctx, s, in.Ref); err != nil {
		return scheduleShown{}, err
	}
	row, err := ci.CreateSchedule(ctx, s.Store, s.Project.Project, s.Caller.User,
		func(_ *db.Store, row *ci.Schedule) error {
			row.Description, row.Ref = in.Description, in.Ref
			row.Cron, row.Zone, row.Active = in.Cron, in.Zone, in.Active
			return in.into(row)
		})
	return a.one(ctx, s, row, err)
}

type scheduleChange struct {
	scheduleID
	Description rest.Opt[string] `param:"description"`
	Ref         rest.Opt[string] `param:"ref"`
	Cron        rest.Opt[string] `param:"cron"`
	Zone        rest.Opt[string] `param:"cron_timezone"`
	Active      rest.Opt[bool]   `param:"active"`
	scheduleInputs
}

func (in scheduleChange) into(_ *db.Store, row *ci.Schedule) error {
	in.Description.Into(&row.Description)
	in.Ref.Into(&row.Ref)
	in.Cron.Into(&row.Cron)
	in.Zone.Into(&row.Zone)
	in.Active.Into(&row.Active)
	return in.scheduleInputs.into(row)
}

func (a schedules) update(ctx context.Context, s scope.InProject, in scheduleChange) (scheduleShown, error) {
	if _, err := in.forChange(ctx, s); err != nil {
		return scheduleShown{}, err
	}
	if ref, given := in.Ref.Value(); given {
		if err := mayRunRef(ctx, s, ref); err != nil {
			return scheduleShown{}, err
		}
	}
	row, err := ci.ChangeSchedule(ctx, s.Store, s.Project.Project, in.ID, in.into)
	return a.one(ctx, s, row, err)
}

func (schedules) delete(ctx context.Context, s scope.InProject, in scheduleID) (rest.None, error) {
	if _, err := in.forChange(ctx, s); err != nil {
		return rest.None{}, err
	}
	return rest.None{}, ci.Schedules(s.Store, s.Project.ID).Delete(ctx, db.ByID(in.ID), rest.Unmodified)
}

// take makes the caller the owner of a schedule, in whose name it runs. It answers 200 to who is
// already.
func (a schedules) take(ctx context.Context, s scope.InProject, in scheduleID) (rest.Raw, error) {
	code := http.StatusOK
	if row, err := in.find(ctx, s); err != nil {
		return nil, err
	} else if !mayChange(s, row) {
		return nil, fault.Forbidden("") // it would show the variables
	}
	row, err := ci.ChangeSchedule(ctx, s.Store, s.Project.Project, in.ID, func(_ *db.Store, row *ci.Schedule) error {
		if row.OwnerID == nil || *row.OwnerID != s.Caller.ID() {
			row.OwnerID, code = &s.Caller.User.ID, http.StatusCreated
		}
		return nil
	})
	shown, err := a.one(ctx, s, row, err)
	return rest.JSON(code, shown), err
}

func (schedules) play(ctx context.Context, s scope.InProject, in scheduleID) (rest.None, error) {
	row, err := in.find(ctx, s)
	if err == nil {
		err = mayRunRef(ctx, s, row.Ref)
	}
	if err != nil {
		return rest.None{}, err
	}
	return rest.None{}, ci.PlaySchedule(ctx, s.Store, row, s.Caller.User)
}
