package api

import (
	"context"

	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/store"
)

// hooks are addresses that are told what happens in a project (gaps §4.4). What is secret about them is never
// shown: the token, the values of URL variables and of headers.
type hooks struct{ *API }

func (a hooks) routes() []rest.Route {
	admin := a.project(policy.AdminHook)
	return []rest.Route{
		rest.Get("/projects/{id}/hooks", admin, a.list),
		rest.Get("/projects/{id}/hooks/{hook_id}", admin, a.show),
		rest.Post("/projects/{id}/hooks", admin, a.create),
		rest.Put("/projects/{id}/hooks/{hook_id}", admin, a.update),
		rest.Delete("/projects/{id}/hooks/{hook_id}", admin, a.delete),

		rest.Put("/projects/{id}/hooks/{hook_id}/custom_headers/{key}", admin, a.setVariable(customHeaders)).Status(204),
		rest.Delete("/projects/{id}/hooks/{hook_id}/custom_headers/{key}", admin, a.deleteVariable(customHeaders)),
		rest.Put("/projects/{id}/hooks/{hook_id}/url_variables/{key}", admin, a.setVariable(urlVariables)).Status(204),
		rest.Delete("/projects/{id}/hooks/{hook_id}/url_variables/{key}", admin, a.deleteVariable(urlVariables)),

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

// hookFlags are the flags of a hook, called as in store.HookFlags.
type hookFlags struct {
	rest.Into[store.HookFlags]
	PushEvents                rest.Opt[bool] `param:"push_events"`
	TagPushEvents             rest.Opt[bool] `param:"tag_push_events"`
	IssuesEvents              rest.Opt[bool] `param:"issues_events"`
	ConfidentialIssuesEvents  rest.Opt[bool] `param:"confidential_issues_events"`
	MergeRequestsEvents       rest.Opt[bool] `param:"merge_requests_events"`
	NoteEvents                rest.Opt[bool] `param:"note_events"`
	ConfidentialNoteEvents    rest.Opt[bool] `param:"confidential_note_events"`
	JobEvents                 rest.Opt[bool] `param:"job_events"`
	PipelineEvents            rest.Opt[bool] `param:"pipeline_events"`
	WikiPageEvents            rest.Opt[bool] `param:"wiki_page_events"`
	DeploymentEvents          rest.Opt[bool] `param:"deployment_events"`
	FeatureFlagEvents         rest.Opt[bool] `param:"feature_flag_events"`
	ReleasesEvents            rest.Opt[bool] `param:"releases_events"`
	MilestoneEvents           rest.Opt[bool] `param:"milestone_events"`
	EmojiEvents               rest.Opt[bool] `param:"emoji_events"`
	ResourceAccessTokenEvents rest.Opt[bool] `param:"resource_access_token_events"`
	VulnerabilityEvents       rest.Opt[bool] `param:"vulnerability_events"`
	RepositoryUpdateEvents    rest.Opt[bool] `param:"repository_update_events"`
	EnableSSLVerification     rest.Opt[bool] `param:"enable_ssl_verification"`
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

// into stores what was given; url is the address the hook gets. A token, and variables and headers, are for one address: a
// new one starts without them unless they come along. Where they do, they are merged into those there are.
func (in hookFields) into(st *store.Store, h *store.ProjectHook, url string) {
	if moved := url != h.URL; moved {
		st.SetHookToken(h, "")
		if !in.URLVariables.Given() {
			h.URLVariables = store.HookVariables{}
		}
		if !in.CustomHeaders.Given() {
			h.CustomHeaders = store.HookVariables{}
		}
	}
	h.URL = url
	if in.Token.Given() {
		st.SetHookToken(h, in.Token.Or(""))
	}
	rest.Merge(h, in.hookTexts, store.ProjectHook{BranchFilterStrategy: "wildcard"})
	rest.Merge(&h.HookFlags, in.hookFlags, store.NewHookFlags())
	for _, v := range in.URLVariables.Or(nil) {
		h.URLVariables.Set(st.HookVariable(*h, v.Key, v.Value))
	}
	for _, v := range in.CustomHeaders.Or(nil) {
		h.CustomHeaders.Set(st.HookVariable(*h, v.Key, v.Value))
	}
}

type hookNew struct {
	URL string `param:"url,required,notempty"`
	hookFields
}

func (hooks) create(ctx context.Context, s InProject, in hookNew) (store.ProjectHook, error) {
	h, err := s.Store.NewProjectHook(ctx, s.Project.ID)
	if err != nil {
		return h, err
	}
	if err := checkHook(ctx, s.Store, in.hookFields, h, in.URL); err != nil {
		return h, err
	}
	in.into(s.Store, &h, in.URL)
	return s.Store.CreateProjectHook(ctx, h)
}

type hookChange struct {
	HookID int64            `param:"hook_id"`
	URL    rest.Opt[string] `param:"url"`
	hookFields
}

func (hooks) update(ctx context.Context, s InProject, in hookChange) (store.ProjectHook, error) {
	h, err := s.Store.HoldProjectHook(ctx, s.Project.ID, in.HookID)
	switch {
	case err != nil:
		return h, err
	case !in.URL.Given() && !rest.Given(in.hookFields):
		return h, fault.Param("No parameters provided")
	}
	url := in.URL.Or(h.URL)
	if err := checkHook(ctx, s.Store, in.hookFields, h, url); err != nil {
		return h, err
	}
	in.into(s.Store, &h, url)
	return s.Store.UpdateProjectHook(ctx, h)
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
