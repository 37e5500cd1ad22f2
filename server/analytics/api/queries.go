package api

import (
	"context"
	"encoding/json"
	"net/http"

	"hew/server/analytics"
	"hew/server/auth"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/people"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
)

// queries are the requests that the engine of product analytics answers (spec 3 §4.6, gaps §13.5).
type queries struct{ analytics.Engine }

func (a queries) routes() []rest.Route {
	const path = "/projects/{id}/product_analytics/request/"
	read := scope.Unless(scope.ForProject(readAnalytics), anonymous)
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

// anonymous refuses callers who are nobody, of public projects too.
func anonymous(ctx context.Context, _ scope.InProject) error {
	if !auth.From(ctx).Known() {
		return fault.Unauthorized()
	}
	return nil
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

// projectToken creates the token by which the engine reads the funnels of the project, for a day:
// the answer shows it to the caller, so only those get one who may create tokens of the project.
func projectToken(ctx context.Context, s scope.InProject) (*string, error) {
	if s.Who().Level < policy.Maintainer && !s.Who().Admin || s.Caller.User.Bot {
		return nil, nil
	}
	holder := group.Holder{Container: s.Project.Container(), By: s.Who()}
	tomorrow := db.Today().Add(1)
	issued, err := group.CreateAccessToken(ctx, s.Store, holder, s.Caller.User, people.Token{
		Name: "Product analytics", Scopes: []string{"read_api"}, AccessLevel: new(int(policy.Developer)),
		ExpiresAt: &tomorrow,
	})
	if err != nil {
		return nil, err
	}
	return &issued.Plain, nil
}
