package api

import (
	"context"
	"slices"

	"hew/server/fault"
	"hew/server/forge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/store"
)

// hooks are addresses that are told what happens in a group or project (gaps §3.3, §4.4). What is secret about them is never
// shown: the token, the password in the url, the values of URL variables and of headers.
type hooks struct {
	*Site
	Courier *forge.Courier
}

func (a hooks) routes() []rest.Route {
	return slices.Concat(
		a.at("/groups/{id}/hooks", as(a.group(policy.AdminGroupHook), InGroup.container)),
		a.at("/projects/{id}/hooks", as(a.project(policy.AdminHook), InProject.container)),
	)
}

// at are the routes of hooks under a path.
func (a hooks) at(path string, admin rest.Guard[container]) []rest.Route {
	one := path + "/{hook_id}"
	return []rest.Route{
		rest.Get(path, admin, a.list),
		rest.Get(one, admin, a.show),
		rest.Post(path, admin, a.create),
		rest.Put(one, admin, a.update),
		rest.Delete(one, admin, a.delete),

		rest.Put(one+"/custom_headers/{key}", admin, a.setVariable(forge.HookHeaders)).Status(204),
		rest.Delete(one+"/custom_headers/{key}", admin, a.deleteVariable(forge.HookHeaders)),
		rest.Put(one+"/url_variables/{key}", admin, a.setVariable(forge.HookVariables)).Status(204),
		rest.Delete(one+"/url_variables/{key}", admin, a.deleteVariable(forge.HookVariables)),

		rest.Post(one+"/test/{trigger}", admin, a.test).Waits(),
		rest.Get(one+"/events", admin, a.listEvents),
		rest.Post(one+"/events/{hook_log_id}/resend", admin, a.resend).Waits(),
	}
}

// hookView is a hook as it is shown, with the flags that only those of groups have.
type hookView struct {
	store.Hook
	GroupID   *int64 `json:"group_id,omitempty"`
	ProjectID *int64 `json:"project_id,omitempty"`
	*store.GroupHookFlags[bool]
}

func hookViewOf(h store.Hook) hookView {
	v := hookView{Hook: h, GroupID: h.NamespaceID, ProjectID: h.ProjectID}
	if h.NamespaceID != nil {
		v.GroupHookFlags = &h.GroupHookFlags
	}
	return v
}

type hookList struct{ rest.Paging }

func (hooks) list(ctx context.Context, s container, in hookList) (rest.List[hookView], error) {
	return rest.Pages(hookViewOf)(s.Store.Hooks(s.Container).List(ctx, pageOf(in.Paging)))
}

type hookID struct {
	HookID int64 `param:"hook_id"`
}

func (hooks) show(ctx context.Context, s container, in hookID) (hookView, error) {
	return rest.Show(hookViewOf)(s.Store.Hooks(s.Container).One(ctx, store.ByID(in.HookID)))
}

// hookFlags are the flags of a hook, each of which may be given.
type hookFlags struct {
	rest.Into[store.HookFlags[bool]]
	store.HookFlags[rest.Opt[bool]]
}

type groupHookFlags struct {
	rest.Into[store.GroupHookFlags[bool]]
	store.GroupHookFlags[rest.Opt[bool]]
}

type hookVariable struct {
	Key   string `param:"key,required"`
	Value string `param:"value,required"`
}

// hookFields is all that may be given of a hook, when it is made and later on.
type hookFields struct {
	Token         rest.Opt[string]         `param:"token"`
	URLVariables  rest.Opt[[]hookVariable] `param:"url_variables"`
	CustomHeaders rest.Opt[[]hookVariable] `param:"custom_headers"`
	hookTexts
	hookFlags
	groupHookFlags
}

// hookTexts are called as in store.Hook.
type hookTexts struct {
	rest.Into[store.Hook]
	Name                   rest.Opt[string] `param:"name"`
	Description            rest.Opt[string] `param:"description"`
	PushEventsBranchFilter rest.Opt[string] `param:"push_events_branch_filter"`
	BranchFilterStrategy   rest.Opt[string] `param:"branch_filter_strategy" oneof:"wildcard regex all_branches"`
	CustomWebhookTemplate  rest.Opt[string] `param:"custom_webhook_template"`
}

// secrets are what was given that will not be shown; url is the address, if there is one.
func (in hookFields) secrets(url rest.Opt[string]) forge.HookSecrets {
	return forge.HookSecrets{
		URL: told(url), Token: told(in.Token), Variables: in.list(in.URLVariables), Headers: in.list(in.CustomHeaders),
	}
}

// told is a text where one was given, or null, which is an empty one.
func told(text rest.Opt[string]) *string {
	if !text.Given() {
		return nil
	}
	return new(text.Or(""))
}

func (hookFields) list(given rest.Opt[[]hookVariable]) []forge.HookSecret {
	if !given.Given() {
		return nil
	}
	list := []forge.HookSecret{}
	for _, v := range given.Or(nil) {
		list = append(list, forge.HookSecret(v))
	}
	return list
}

// into gives a hook what was given of it; url is the address, if there is one.
func (in hookFields) into(st *store.Store, url rest.Opt[string]) func(*store.Hook) error {
	return func(h *store.Hook) error {
		rest.Merge(h, in.hookTexts, store.Hook{BranchFilterStrategy: "wildcard"})
		rest.Merge(&h.HookFlags, in.hookFlags, store.NewHookFlags())
		if h.NamespaceID != nil {
			rest.Merge(&h.GroupHookFlags, in.groupHookFlags, store.GroupHookFlags[bool]{})
		}
		return in.secrets(url).Into(st, h)
	}
}

type hookNew struct {
	URL string `param:"url,required,notempty"`
	hookFields
}

func (hooks) create(ctx context.Context, s container, in hookNew) (hookView, error) {
	return rest.Show(hookViewOf)(forge.CreateHook(ctx, s.Store, s.Container, in.into(s.Store, rest.Some(in.URL))))
}

type hookChange struct {
	hookID
	URL rest.Opt[string] `param:"url"`
	hookFields
}

func (a hooks) update(ctx context.Context, s container, in hookChange) (hookView, error) {
	if !in.URL.Given() && !rest.Given(in.hookFields) {
		if _, err := a.show(ctx, s, in.hookID); err != nil {
			return hookView{}, err
		}
		return hookView{}, fault.Param("No parameters provided")
	}
	return rest.Show(hookViewOf)(forge.ChangeHook(ctx, s.Store, s.Container, in.HookID, in.into(s.Store, in.URL)))
}

func (hooks) delete(ctx context.Context, s container, in hookID) (rest.None, error) {
	return rest.None{}, s.Store.Hooks(s.Container).Delete(ctx, store.ByID(in.HookID), rest.Unmodified)
}
