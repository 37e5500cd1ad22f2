package api

import (
	"context"
	"encoding/json"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/hook"
	"hew/server/rest"
	"hew/server/scope"
)

// systemHooks serves the hooks of the instance, which administrators manage (gaps §15, more-2
// §8.5).
type systemHooks struct{ hooks }

func (a systemHooks) routes() []rest.Route {
	const one = "/hooks/{hook_id}"
	admin := scope.As(scope.ForAdmin(), scope.Admin.Container)
	return []rest.Route{
		rest.Get("/hooks", admin, a.list),
		rest.Get(one, admin, a.show),
		rest.Post("/hooks", admin, a.create),
		rest.Put(one, admin, a.update),
		rest.Delete(one, admin, a.delete),

		rest.Put(one+"/url_variables/{key}", admin, a.setVariable(hook.URLVariableList)).Status(204),
		rest.Delete(one+"/url_variables/{key}", admin, a.deleteVariable(hook.URLVariableList)),

		rest.Post(one, admin, a.test).WithoutTransaction(),
	}
}

// systemHookView is a hook of the instance.
type systemHookView struct {
	ID                     int64          `json:"id"`
	URL                    string         `json:"url"`
	Name                   string         `json:"name"`
	Description            string         `json:"description"`
	CreatedAt              time.Time      `json:"created_at"`
	PushEvents             bool           `json:"push_events"`
	TagPushEvents          bool           `json:"tag_push_events"`
	MergeRequestsEvents    bool           `json:"merge_requests_events"`
	RepositoryUpdateEvents bool           `json:"repository_update_events"`
	EnableSSLVerification  bool           `json:"enable_ssl_verification"`
	URLVariables           hook.Variables `json:"url_variables"`
}

func systemHookViewOf(h hook.Hook) systemHookView {
	return systemHookView{
		ID: h.ID, URL: h.URL, Name: h.Name, Description: h.Description, CreatedAt: h.CreatedAt,
		PushEvents: h.PushEvents, TagPushEvents: h.TagPushEvents, MergeRequestsEvents: h.MergeRequestsEvents,
		RepositoryUpdateEvents: h.RepositoryUpdateEvents, EnableSSLVerification: h.EnableSSLVerification,
		URLVariables: h.URLVariables,
	}
}

func (systemHooks) list(ctx context.Context, s scope.Container, in hookList) (rest.List[systemHookView], error) {
	return rest.Pages(systemHookViewOf)(hook.Hooks(s.Store, s.Container).List(ctx, scope.PageOf(in.Paging)))
}

func (systemHooks) show(ctx context.Context, s scope.Container, in hookID) (systemHookView, error) {
	return rest.Show(systemHookViewOf)(hook.Hooks(s.Store, s.Container).One(ctx, db.ByID(in.HookID)))
}

// systemHookFields holds the parameters that both creation and change take.
type systemHookFields struct {
	Token        rest.Opt[string]         `param:"token"`
	URLVariables rest.Opt[[]hookVariable] `param:"url_variables"`
	systemHookTexts
	systemHookFlags
}

// systemHookTexts has the field names of hook.Hook.
type systemHookTexts struct {
	rest.Into[hook.Hook]
	Name        rest.Opt[string] `param:"name"`
	Description rest.Opt[string] `param:"description"`
}

// systemHookFlags has the field names of hook.Flags.
type systemHookFlags struct {
	rest.Into[hook.Flags[bool]]
	PushEvents             rest.Opt[bool] `param:"push_events"`
	TagPushEvents          rest.Opt[bool] `param:"tag_push_events"`
	MergeRequestsEvents    rest.Opt[bool] `param:"merge_requests_events"`
	RepositoryUpdateEvents rest.Opt[bool] `param:"repository_update_events"`
	EnableSSLVerification  rest.Opt[bool] `param:"enable_ssl_verification"`
}

// into returns a change that stores the parameters and the URL, if there is one.
func (in systemHookFields) into(st *db.Store, url rest.Opt[string]) func(*hook.Hook) error {
	return func(h *hook.Hook) error {
		rest.Merge(h, in.systemHookTexts, hook.Hook{})
		rest.Merge(&h.Flags, in.systemHookFlags, hook.NewFlags(h.Container))
		return hook.Secrets{
			URL: rest.TextIfGiven(url), Token: rest.TextIfGiven(in.Token), Variables: secretsOf(in.URLVariables),
		}.Into(st, h)
	}
}

type systemHookNew struct {
	URL string `param:"url,required,notempty"`
	systemHookFields
}

func (systemHooks) create(ctx context.Context, s scope.Container, in systemHookNew) (systemHookView, error) {
	return rest.Show(systemHookViewOf)(
		hook.CreateHook(ctx, s.Store, s.Container, in.into(s.Store, rest.Some(in.URL))),
	)
}

type systemHookChange struct {
	hookID
	URL rest.Opt[string] `param:"url"`
	systemHookFields
}

func (a systemHooks) update(ctx context.Context, s scope.Container, in systemHookChange) (systemHookView, error) {
	if !in.URL.Given() && !rest.Given(in.systemHookFields) {
		if _, err := a.show(ctx, s, in.hookID); err != nil {
			return systemHookView{}, err
		}
		return systemHookView{}, fault.Param("No parameters provided")
	}
	return rest.Show(systemHookViewOf)(
		hook.ChangeHook(ctx, s.Store, s.Container, in.HookID, in.into(s.Store, in.URL)),
	)
}

// test sends a sample of an event and answers what it sent.
func (a systemHooks) test(ctx context.Context, s scope.Container, in hookID) (json.RawMessage, error) {
	return a.sender.Test(ctx, s.Store, s.Container, in.HookID, hook.SystemEvent, s.Caller.User)
}
