package api

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"hew/server/auth"
	"hew/server/ci"
	"hew/server/ci/expression"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/people"
	"hew/server/rest"
	"hew/server/secret"
	"hew/server/tree"
)

// ownHook is the event header of pipeline hooks. A hook that started a pipeline by it would loop.
const ownHook = "Pipeline Hook"

// triggerScope is the scope of the route that starts a pipeline with a token.
type triggerScope struct {
	Store   *db.Store
	Project tree.Project
	Trigger ci.Trigger // the zero value: a job has sent its own token
	By      tree.User
	Payload *string // what a webhook has sent, as JSON without the token; nil: the caller is none
}

// triggering admits callers with the token of a trigger of the project in the path, and jobs whose
// tokens the project lets in. Callers without one get the same answer whether or not the project
// exists.
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
			if err != nil {
				return s, err
			}
			s.Project = found.Project
			if r.PathValue("ref") != "" {
				if s.Payload, err = payload(r); err != nil {
					return s, err
				}
			}
			if strings.HasPrefix(token, people.JobTokenPrefix) {
				return s, s.byJob(ctx, token)
			}
			if s.Trigger, err = ci.UseTrigger(ctx, s.Store, found.ID, token); err != nil {
				return s, err
			}
			if s.By, err = tree.FindUser(ctx, s.Store, s.Trigger.OwnerID); err == nil && s.By.State != "active" {
				err = fault.Forbidden("")
			}
			return s, err
		}}
}

// byJob sets the user of the job that has sent its token.
func (s *triggerScope) byJob(ctx context.Context, token string) error {
	digest := secret.Digest(token)
	job, err := people.FindJobToken(ctx, s.Store, digest[:])
	if err == nil && job.UserID == nil {
		err = fault.NotFound("")
	}
	if err != nil {
		return err
	}
	if _, err := ci.ReachedProject(ctx, s.Store, job, strconv.FormatInt(s.Project.ID, 10)); err != nil {
		return err
	}
	s.By, err = tree.FindUser(ctx, s.Store, *job.UserID)
	return err
}

// payload returns the parameters of a webhook as JSON.
func payload(r *http.Request) (*string, error) {
	fields := rest.Params(r)
	delete(fields, "token")
	text, err := json.Marshal(fields)
	return new(string(text)), err
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
	Inputs    map[string]any `param:"inputs"`
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

// payloadKey is the variable with the payload of a webhook.
const payloadKey = "TRIGGER_PAYLOAD"

func (a triggerStart) start(ctx context.Context, s triggerScope, in triggerCall) (pipelineView, error) {
	variables, err := in.given()
	if err != nil {
		return pipelineView{}, err
	}
	inputs, err := ci.InputsOf(in.Inputs)
	if err != nil {
		return pipelineView{}, err
	}
	order := ci.Order{
		Project: s.Project, By: s.By, Source: ci.ByTrigger, Ref: in.Ref, TriggerID: &s.Trigger.ID, Inputs: inputs,
	}
	if s.Trigger.ID == 0 {
		order.Source, order.TriggerID = ci.ByPipeline, nil
	}
	if s.Payload != nil {
		variables = slices.DeleteFunc(variables, func(v expression.Variable) bool { return v.Key == payloadKey })
		variables = append(variables, expression.Variable{Key: payloadKey, Value: *s.Payload, File: true, Raw: true})
	}
	order.Variables = variables
	return creation{a.Site, a.site}.shown(ci.Create(ctx, s.Store, a.site, order))
}
