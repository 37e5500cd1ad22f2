package api

import (
	"context"
	"encoding/json"
	"net/http"

	"hew/server/analytics"
	"hew/server/auth"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
)

// queries are the requests that the engine of product analytics answers (spec 3 §4.6, gaps §13.5).
type queries struct{ analytics.Engine }

func (a queries) routes() []rest.Route {
	const path = "/projects/{id}/product_analytics/request/"
	read := forAsking()
	ask := func(name string) rest.Route {
		send := func(ctx context.Context, s scope.InProject, in queryAsk) (json.RawMessage, error) {
			return a.ask(ctx, s, name, in)
		}
		return rest.Post(path+name, read, send).Status(http.StatusOK).WithoutTransaction()
	}
	return []rest.Route{
		ask("load"), ask("dry-run"),
		rest.Get(path+"meta", read, a.meta),
		rest.Post(path+"meta", read, a.meta).Status(http.StatusOK).WithoutTransaction(),
	}
}

// forAsking returns the guard of requests to the engine. Those who see the project and may not ask
// about it get 401 (transfer.md §7), where everything else answers 403.
func forAsking() rest.Guard[scope.InProject] {
	g := scope.Unless(scope.ForProject(policy.ReadProject), func(ctx context.Context, s scope.InProject) error {
		switch {
		case !auth.From(ctx).Known(): // of public projects, too
			return fault.Unauthorized()
		case !s.Can(readAnalytics):
			return (&fault.Error{Code: fault.CodeUnauthorized, What: "Access Denied"}).In(fault.Text)
		}
		return nil
	})
	g.Need = readAnalytics.Name
	return g
}

func (a queries) meta(ctx context.Context, s scope.InProject, _ rest.None) (json.RawMessage, error) {
	found, err := a.Ask(ctx, s.Store, s.Project.Project, analytics.Question{Path: "meta"})
	return found.JSON, err
}

type queryAsk struct {
	Query        map[string]any `param:"query,required"`
	QueryType    string         `param:"queryType" default:"multi"`
	IncludeToken bool           `param:"include_token"`
}

// ask sends a query. With include_token the answer has the token that the engine was asked with,
// unless it is still at work.
func (a queries) ask(ctx context.Context, s scope.InProject, path string, in queryAsk) (json.RawMessage, error) {
	query, err := analytics.Query(in.Query).Check()
	if err != nil {
		return nil, err
	}
	q := analytics.Question{Path: path, Query: query, Type: in.QueryType}
	if in.IncludeToken {
		if err := a.CheckEnabled(ctx, s.Store, s.Project.Project); err != nil {
			return nil, err
		}
		if q.ProjectToken, err = projectToken(ctx, s); err != nil {
			return nil, err
		}
	}
	found, err := a.Ask(ctx, s.Store, s.Project.Project, q)
	if err != nil || !in.IncludeToken {
		return found.JSON, err
	}
	var answer map[string]json.RawMessage
	if err := json.Unmarshal(found.JSON, &answer); err != nil {
		return nil, err
	}
	if _, working := answer["error"]; working {
		return found.JSON, nil
	}
	answer["cubeJsToken"], err = json.Marshal(found.Token)
	if err != nil {
		return nil, err
	}
	return json.Marshal(answer)
}

// projectToken returns the token by which the engine reads the funnels of the project: the answer
// shows it to the caller, so only those get it who may create tokens of the project.
func projectToken(ctx context.Context, s scope.InProject) (*string, error) {
	if s.Who().Level < policy.Maintainer && !s.Who().Admin || s.Caller.User.Bot {
		return nil, nil
	}
	plain, err := analytics.ProjectToken(ctx, s.Store, s.Project.Project, s.Caller.User, s.Who())
	if err != nil {
		return nil, err
	}
	return &plain, nil
}
