package api

import (
	"context"

	"hew/server/fault"
	"hew/server/forge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/store"
)

// hooks are addresses that are told what happens in a project (gaps §4.4). What is secret about them is never
// shown: the token, the password in the url, the values of URL variables and of headers.
type hooks struct{ *API }

func (a hooks) routes() []rest.Route {
	admin := a.project(policy.AdminHook)
	return []rest.Route{
		rest.Get("/projects/{id}/hooks", admin, a.list),
		rest.Get("/projects/{id}/hooks/{hook_id}", admin, a.show),
		rest.Post("/projects/{id}/hooks", admin, a.create),
		rest.Put("/projects/{id}/hooks/{hook_id}", admin, a.update),
		rest.Delete("/projects/{id}/hooks/{hook_id}", admin, a.delete),

		rest.Put("/projects/{id}/hooks/{hook_id}/custom_headers/{key}", admin, a.setVariable(forge.HookHeaders)).Status(204),
		rest.Delete("/projects/{id}/hooks/{hook_id}/custom_headers/{key}", admin, a.deleteVariable(forge.HookHeaders)),
		rest.Put("/projects/{id}/hooks/{hook_id}/url_variables/{key}", admin, a.setVariable(forge.HookVariables)).Status(204),
		rest.Delete("/projects/{id}/hooks/{hook_id}/url_variables/{key}", admin, a.deleteVariable(forge.HookVariables)),

		rest.Post("/projects/{id}/hooks/{hook_id}/test/{trigger}", admin, a.test),
		rest.Get("/projects/{id}/hooks/{hook_id}/events", admin, a.listEvents),
		rest.Post("/projects/{id}/hooks/{hook_id}/events/{hook_log_id}/resend", admin, a.resend),
	}
}

type hookList struct{ rest.Paging }

func (hooks) list(ctx context.Context, s InProject, in hookList) (rest.List[store.ProjectHook], error) {
	return rest.Page(s.Store.ProjectHooks(ctx, s.Project.ID, store.Page{Limit: in.Limit(), Offset: in.Offset()}))
}

type hookID struct {
	HookID int64 `param:"hook_id"`
}

func (hooks) show(ctx context.Context, s InProject, in hookID) (store.ProjectHook, error) {
	return s.Store.ProjectHook(ctx, s.Project.ID, in.HookID)
}

// hookFlags are the flags of a hook, each of which may be given.
type hookFlags struct {
	rest.Into[store.HookFlags[bool]]
	store.HookFlags[rest.Opt[bool]]
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
}

// hookTexts are called as in store.ProjectHook.
type hookTexts struct {
	rest.Into[store.ProjectHook]
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

// fill stores what was given and will be shown.
func (in hookFields) fill(h *store.ProjectHook) {
	rest.Merge(h, in.hookTexts, store.ProjectHook{BranchFilterStrategy: "wildcard"})
	rest.Merge(&h.HookFlags, in.hookFlags, store.NewHookFlags())
}

type hookNew struct {
	URL string `param:"url,required,notempty"`
	hookFields
}

func (hooks) create(ctx context.Context, s InProject, in hookNew) (store.ProjectHook, error) {
	return forge.CreateHook(ctx, s.Store, s.Project.ID, in.secrets(rest.Some(in.URL)), in.fill)
}

type hookChange struct {
	hookID
	URL rest.Opt[string] `param:"url"`
	hookFields
}

func (a hooks) update(ctx context.Context, s InProject, in hookChange) (store.ProjectHook, error) {
	if !in.URL.Given() && !rest.Given(in.hookFields) {
		if h, err := a.show(ctx, s, in.hookID); err != nil {
			return h, err
		}
		return store.ProjectHook{}, fault.Param("No parameters provided")
	}
	return forge.ChangeHook(ctx, s.Store, s.Project.ID, in.HookID, in.secrets(in.URL), in.fill)
}

func (hooks) delete(ctx context.Context, s InProject, in hookID) (rest.None, error) {
	h, err := s.Store.ProjectHook(ctx, s.Project.ID, in.HookID)
	if err != nil {
		return rest.None{}, err
	}
	if err := rest.Unmodified(ctx, h.UpdatedAt); err != nil {
		return rest.None{}, err
	}
	return rest.None{}, s.Store.DeleteProjectHook(ctx, s.Project.ID, in.HookID)
}
