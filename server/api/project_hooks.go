package api

import (
	"context"

	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/store"
)

// projectHooks are addresses that are told what happens in a project (gaps §4.4). What is secret about them is never
// shown: the token, the values of URL variables and of headers.
func (a *API) projectHooks() []rest.Route {
	admin := a.project(policy.AdminHook)
	return []rest.Route{
		rest.Get("/projects/{id}/hooks", admin, listHooks),
		rest.Get("/projects/{id}/hooks/{hook_id}", admin, getHook),
		rest.Post("/projects/{id}/hooks", admin, createHook),
		rest.Put("/projects/{id}/hooks/{hook_id}", admin, updateHook),
		rest.Delete("/projects/{id}/hooks/{hook_id}", admin, deleteHook),

		rest.Put("/projects/{id}/hooks/{hook_id}/custom_headers/{key}", admin, setVariable(customHeaders)).Status(204),
		rest.Delete("/projects/{id}/hooks/{hook_id}/custom_headers/{key}", admin, deleteVariable(customHeaders)),
		rest.Put("/projects/{id}/hooks/{hook_id}/url_variables/{key}", admin, setVariable(urlVariables)).Status(204),
		rest.Delete("/projects/{id}/hooks/{hook_id}/url_variables/{key}", admin, deleteVariable(urlVariables)),

		rest.Post("/projects/{id}/hooks/{hook_id}/test/{trigger}", admin, testHook),
		rest.Get("/projects/{id}/hooks/{hook_id}/events", admin, listHookEvents),
		rest.Post("/projects/{id}/hooks/{hook_id}/events/{hook_log_id}/resend", admin, resendHookEvent),
	}
}

type hooksIn struct{ rest.Paging }

func listHooks(ctx context.Context, s InProject, in hooksIn) (rest.List[store.ProjectHook], error) {
	return rest.Page(s.Store.ProjectHooks(ctx, s.Project.ID, store.Page{Limit: in.Limit(), Offset: in.Offset()}))
}

type hookID struct {
	HookID int64 `param:"hook_id"`
}

func getHook(ctx context.Context, s InProject, in hookID) (store.ProjectHook, error) {
	return s.Store.ProjectHook(ctx, s.Project.ID, in.HookID)
}

// hookFlagsIn are the flags of a hook, called like those of store.HookFlags.
type hookFlagsIn struct {
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

type variableIn struct {
	Key   string `param:"key,required"`
	Value string `param:"value,required"`
}

// hookIn is all that may be given of a hook, when it is made and later on.
type hookIn struct {
	Name           rest.Opt[string]       `param:"name"`
	Description    rest.Opt[string]       `param:"description"`
	Token          rest.Opt[string]       `param:"token"`
	BranchFilter   rest.Opt[string]       `param:"push_events_branch_filter"`
	FilterStrategy rest.Opt[string]       `param:"branch_filter_strategy" oneof:"wildcard regex all_branches"`
	Template       rest.Opt[string]       `param:"custom_webhook_template"`
	URLVariables   rest.Opt[[]variableIn] `param:"url_variables"`
	CustomHeaders  rest.Opt[[]variableIn] `param:"custom_headers"`
	hookFlagsIn
}

// into stores what was given; url is the address the hook gets. A token, and variables and headers, are for one address: a
// new one starts without them unless they come along. Where they do, they are merged into those there are.
func (in hookIn) into(st *store.Store, h *store.ProjectHook, url string) {
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
	in.Name.Into(&h.Name)
	in.Description.Into(&h.Description)
	in.BranchFilter.Into(&h.PushEventsBranchFilter)
	in.Template.Into(&h.CustomWebhookTemplate)
	if in.FilterStrategy.Given() {
		h.BranchFilterStrategy = in.FilterStrategy.Or("wildcard")
	}
	rest.Merge(&h.HookFlags, in.hookFlagsIn, store.NewHookFlags())
	for _, v := range in.URLVariables.Or(nil) {
		h.URLVariables.Set(st.HookVariable(*h, v.Key, v.Value))
	}
	for _, v := range in.CustomHeaders.Or(nil) {
		h.CustomHeaders.Set(st.HookVariable(*h, v.Key, v.Value))
	}
}

type createHookIn struct {
	URL string `param:"url,required,notempty"`
	hookIn
}

func createHook(ctx context.Context, s InProject, in createHookIn) (store.ProjectHook, error) {
	h, err := s.Store.NewProjectHook(ctx, s.Project.ID)
	if err != nil {
		return h, err
	}
	if err := checkHook(ctx, s.Store, in.hookIn, h, in.URL); err != nil {
		return h, err
	}
	in.into(s.Store, &h, in.URL)
	return s.Store.CreateProjectHook(ctx, h)
}

type updateHookIn struct {
	HookID int64            `param:"hook_id"`
	URL    rest.Opt[string] `param:"url"`
	hookIn
}

func updateHook(ctx context.Context, s InProject, in updateHookIn) (store.ProjectHook, error) {
	h, err := s.Store.HoldProjectHook(ctx, s.Project.ID, in.HookID)
	switch {
	case err != nil:
		return h, err
	case !in.URL.Given() && !rest.Given(in.hookIn):
		return h, fault.Param("No parameters provided")
	}
	url := in.URL.Or(h.URL)
	if err := checkHook(ctx, s.Store, in.hookIn, h, url); err != nil {
		return h, err
	}
	in.into(s.Store, &h, url)
	return s.Store.UpdateProjectHook(ctx, h)
}

func deleteHook(ctx context.Context, s InProject, in hookID) (rest.None, error) {
	h, err := s.Store.ProjectHook(ctx, s.Project.ID, in.HookID)
	if err != nil {
		return rest.None{}, err
	}
	if err := rest.Unmodified(ctx, h.UpdatedAt); err != nil {
		return rest.None{}, err
	}
	return rest.None{}, s.Store.DeleteProjectHook(ctx, s.Project.ID, in.HookID)
}
