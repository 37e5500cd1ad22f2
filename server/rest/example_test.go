package rest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"hew/server/fault"
	"hew/server/rest"
)

// hook is what a client sees of a hook.
type hook struct {
	ID         int64  `json:"id"`
	URL        string `json:"url"`
	PushEvents bool   `json:"push_events"`
}

// inProject is the scope of callers who can manage the hooks of a project.
type inProject struct{ Project string }

// store stands for the database: one method a query.
type store struct{ hooks []hook }

func (s *store) page(limit, offset int) ([]hook, int, error) {
	end := min(offset+limit, len(s.hooks))
	return s.hooks[min(offset, end):end], len(s.hooks), nil
}

func (s *store) find(id int64) (*hook, error) {
	for i := range s.hooks {
		if s.hooks[i].ID == id {
			return &s.hooks[i], nil
		}
	}
	return nil, fault.NotFound("")
}

type api struct{ store *store }

// routes is the table of the area: an endpoint is a line.
func (a *api) routes() []rest.Route {
	admin := rest.Guard[inProject]{Need: "admin_hook on project", Open: a.project}
	return []rest.Route{
		rest.Get("/projects/{id}/hooks", admin, a.listHooks),
		rest.Post("/projects/{id}/hooks", admin, a.createHook),
		rest.Put("/projects/{id}/hooks/{hook_id}", admin, a.updateHook),
	}
}

// project opens the scope, or says why not.
func (a *api) project(_ context.Context, r *http.Request) (inProject, error) {
	switch id := r.PathValue("id"); id {
	case "acme/web":
		return inProject{id}, nil
	case "acme/old":
		return inProject{}, fault.Moved("Project", id, "acme/web")
	default:
		return inProject{}, fault.NotFound("Project")
	}
}

type hooksIn struct{ rest.Paging }

func (a *api) listHooks(_ context.Context, _ inProject, in hooksIn) (rest.List[hook], error) {
	return rest.Page(a.store.page(in.Limit(), in.Offset()))
}

type createHookIn struct {
	URL        string `param:"url,required,notempty"`
	PushEvents bool   `param:"push_events" default:"true"`
}

func (a *api) createHook(_ context.Context, _ inProject, in createHookIn) (hook, error) {
	if !strings.HasPrefix(in.URL, "https://") {
		return hook{}, fault.Unprocessable("Invalid url given").In(fault.Parameter)
	}
	h := hook{ID: int64(len(a.store.hooks) + 1), URL: in.URL, PushEvents: in.PushEvents}
	a.store.hooks = append(a.store.hooks, h)
	return h, nil
}

type updateHookIn struct {
	HookID     int64            `param:"hook_id"`
	URL        rest.Opt[string] `param:"url"`
	PushEvents rest.Opt[bool]   `param:"push_events"`
	_          struct{}         `atleast:"*"`
}

func (a *api) updateHook(_ context.Context, _ inProject, in updateHookIn) (hook, error) {
	h, err := a.store.find(in.HookID)
	if err != nil {
		return hook{}, err
	}
	in.URL.Into(&h.URL)
	in.PushEvents.Into(&h.PushEvents)
	return *h, nil
}

// A whole area: the table, the guard, a struct and a function for each endpoint.
func Example() {
	a := &api{store: &store{}}
	h := rest.New(rest.Config{Base: "https://code.example", Log: quiet}, a.routes())

	send := func(method, path, body string) {
		r := httptest.NewRequest(method, "/api/v4"+path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		fmt.Println(w.Code, w.Body)
		if to := w.Header().Get("Location"); to != "" {
			fmt.Println("   ", to)
		}
	}
	send("POST", "/projects/acme%2Fweb/hooks", `{"url": "https://ci.example/build"}`)
	send("POST", "/projects/acme%2Fweb/hooks", `{"push_events": "perhaps"}`)
	send("PUT", "/projects/acme%2Fweb/hooks/1", `{"push_events": false}`)
	send("PUT", "/projects/acme%2Fweb/hooks/1", `{}`)
	send("GET", "/projects/acme%2Fweb/hooks?per_page=5", "")
	send("GET", "/projects/acme%2Fold/hooks?per_page=5", "")
	send("GET", "/projects/acme%2Fnone/hooks", "")
	send("PATCH", "/projects/acme%2Fweb/hooks", "")

	// Output:
	// 201 {"id":1,"url":"https://ci.example/build","push_events":true}
	// 400 {"error":"url is missing, push_events is invalid"}
	// 200 {"id":1,"url":"https://ci.example/build","push_events":false}
	// 400 {"error":"url, push_events are missing, at least one parameter must be provided"}
	// 200 [{"id":1,"url":"https://ci.example/build","push_events":false}]
	// 301 {"message":"This resource has been moved permanently to https://code.example/api/v4/projects/acme%2Fweb/hooks?per_page=5"}
	//     https://code.example/api/v4/projects/acme%2Fweb/hooks?per_page=5
	// 404 {"message":"404 Project Not Found"}
	// 405 {"error":"405 Not Allowed"}
}
