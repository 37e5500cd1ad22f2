package api

import (
	"context"
	"maps"
	"net/http"
	"slices"

	"hew/server/auth"
	"hew/server/ci"
	"hew/server/ci/expression"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/rest"
	"hew/server/tree"
)

// ownHook is the event header of pipeline hooks. A hook that started a pipeline by it would loop.
const ownHook = "Pipeline Hook"

// triggerScope is the scope of the route that starts a pipeline with a token.
type triggerScope struct {
	Store   *db.Store
	Project tree.Project
	Trigger ci.Trigger
	By      tree.User
}

// triggering admits callers with the token of a trigger of the project in the path. Callers without
// one get the same answer whether or not the project exists.
func triggering() rest.Guard[triggerScope] {
	return rest.Guard[triggerScope]{Need: "trigger_token",
		Open: func(ctx context.Context, r *http.Request) (triggerScope, error) {
			s := triggerScope{Store: db.From(ctx)}
			token := rest.Param(r, "token")
			if token == "" {
				return s, fault.Param("token is missing")
			}
			if r.Header.Get("X-Gitlab-Event") == ownHook {
				return s, fault.Forbidden("")
			}
			found, err := tree.ProjectFor(ctx, s.Store, r.PathValue("id"), auth.From(ctx).ID())
			if err == nil {
				s.Trigger, err = ci.UseTrigger(ctx, s.Store, found.ID, token)
			}
			if err != nil {
				return s, err
			}
			s.Project = found.Project
			if s.By, err = tree.FindUser(ctx, s.Store, s.Trigger.OwnerID); err == nil && s.By.State != "active" {
				err = fault.Forbidden("")
			}
			return s, err
		}}
}

// startRoutes are the routes that start pipelines for callers with a token (CI facts §2.3).
func (a triggers) startRoutes(site ci.Site) []rest.Route {
	start := triggerStart{a, site}
	guard := triggering()
	return []rest.Route{
		rest.Post("/projects/{id}/trigger/pipeline", guard, start.start).WithoutTransaction().Timeout(planTime),
		rest.Post("/projects/{id}/ref/{ref}/trigger/pipeline", guard, start.start).WithoutTransaction().Timeout(planTime),
	}
}

// triggerStart serves the routes that start pipelines with a token.
type triggerStart struct {
	triggers
	site ci.Site
}

type triggerCall struct {
	Ref       string         `param:"ref,required"`
	Variables map[string]any `param:"variables"`
}

// given returns the variables of a call, in the order of their keys.
func (in triggerCall) given() (list []expression.Variable, err error) {
	for _, key := range slices.Sorted(maps.Keys(in.Variables)) {
		value, ok := in.Variables[key].(string)
		if !ok {
			return nil, fault.BadRequest("variables needs to be a map of key-valued strings").In(fault.Text)
		}
		list = append(list, expression.Variable{Key: key, Value: value})
	}
	return list, nil
}

func (a triggerStart) start(ctx context.Context, s triggerScope, in triggerCall) (pipelineView, error) {
	variables, err := in.given()
	if err != nil {
		return pipelineView{}, err
	}
	return creation{a.Site, a.site}.shown(ci.Create(ctx, s.Store, a.site, ci.Order{
		Project: s.Project, By: s.By, Source: ci.ByTrigger, Ref: in.Ref, Variables: variables, TriggerID: &s.Trigger.ID,
	}))
}
