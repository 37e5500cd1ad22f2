package api

import (
	"context"
	"slices"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/hook"
	"hew/server/rest"
	"hew/server/scope"
)

// hooks serves the webhooks of groups and projects (gaps §3.3, §4.4). Secrets are never
// shown: the token, the password in the URL, the values of URL variables and headers.
type hooks struct{ sender *hook.Sender }

func (a hooks) routes() []rest.Route {
	return slices.Concat(
		a.at("/groups/{id}/hooks", scope.HeldByGroup(adminGroupHook)),
		a.at("/projects/{id}/hooks", scope.HeldByProject(adminHook)),
	)
}

// at returns the routes of hooks under a path.
func (a hooks) at(path string, admin rest.Guard[scope.Container]) []rest.Route {
	one := path + "/{hook_id}"
	return []rest.Route{
		rest.Get(path, admin, a.list),
		rest.Get(one, admin, a.show),
		rest.Post(path, admin, a.create),
		rest.Put(one, admin, a.update),
		rest.Delete(one, admin, a.delete),

		rest.Put(one+"/custom_headers/{key}", admin, a.setVariable(hook.HeaderList)).Status(204),
		rest.Delete(one+"/custom_headers/{key}", admin, a.deleteVariable(hook.HeaderList)),
		rest.Put(one+"/url_variables/{key}", admin, a.setVariable(hook.URLVariableList)).Status(204),
		rest.Delete(one+"/url_variables/{key}", admin, a.deleteVariable(hook.URLVariableList)),

		rest.Post(one+"/test/{trigger}", admin, a.test).WithoutTransaction(),
		rest.Get(one+"/events", admin, a.listEvents),
		rest.Post(one+"/events/{hook_log_id}/resend", admin, a.resend).WithoutTransaction(),
	}
}

// hookView is a hook, with the flags that only hooks of groups have.
type hookView struct {
	hook.Hook
	GroupID   *int64 `json:"group_id,omitempty"`
	ProjectID *int64 `json:"project_id,omitempty"`
	*hook.GroupFlags[bool]
}

func hookViewOf(h hook.Hook) hookView {
	v := hookView{Hook: h, GroupID: h.NamespaceID, ProjectID: h.ProjectID}
	if h.NamespaceID != nil {
		v.GroupFlags = &h.GroupFlags
	}
	return v
}

type hookList struct{ rest.Paging }

func (hooks) list(ctx context.Context, s scope.Container, in hookList) (rest.List[hookView], error) {
	return rest.Pages(hookViewOf)(hook.Hooks(s.Store, s.Container).List(ctx, scope.PageOf(in.Paging)))
}

type hookID struct {
	HookID int64 `param:"hook_id"`
}

func (hooks) show(ctx context.Context, s scope.Container, in hookID) (hookView, error) {
	return rest.Show(hookViewOf)(hook.Hooks(s.Store, s.Container).One(ctx, db.ByID(in.HookID)))
}

// hookFlags holds the flags as optional parameters.
type hookFlags struct {
	rest.Into[hook.Flags[bool]]
	hook.Flags[rest.Opt[bool]]
}

type groupHookFlags struct {
	rest.Into[hook.GroupFlags[bool]]
	hook.GroupFlags[rest.Opt[bool]]
}

type hookVariable struct {
	Key   string `param:"key,required"`
	Value string `param:"value,required"`
}

// hookFields holds the parameters that both creation and change take.
type hookFields struct {
	Token         rest.Opt[string]         `param:"token"`
	URLVariables  rest.Opt[[]hookVariable] `param:"url_variables"`
	CustomHeaders rest.Opt[[]hookVariable] `param:"custom_headers"`
	hookTexts
	hookFlags
	groupHookFlags
}

// hookTexts has the field names of hook.Hook.
type hookTexts struct {
	rest.Into[hook.Hook]
	Name                   rest.Opt[string] `param:"name"`
	Description            rest.Opt[string] `param:"description"`
	PushEventsBranchFilter rest.Opt[string] `param:"push_events_branch_filter"`
	BranchFilterStrategy   rest.Opt[string] `param:"branch_filter_strategy" oneof:"wildcard regex all_branches"`
	CustomWebhookTemplate  rest.Opt[string] `param:"custom_webhook_template"`
}

// secrets returns the given values that are not shown again.
func (in hookFields) secrets(url rest.Opt[string]) hook.Secrets {
	return hook.Secrets{
		URL: rest.TextIfGiven(url), Token: rest.TextIfGiven(in.Token), Variables: secretsOf(in.URLVariables),
		Headers: secretsOf(in.CustomHeaders),
	}
}

// secretsOf returns the given variables or headers, nil if there are none.
func secretsOf(given rest.Opt[[]hookVariable]) []hook.Secret {
	if !given.Given() {
		return nil
	}
	list := []hook.Secret{}
	for _, v := range given.Or(nil) {
		list = append(list, hook.Secret(v))
	}
	return list
}

// into returns a change that stores the parameters and the URL, if there is one.
func (in hookFields) into(st *db.Store, url rest.Opt[string]) func(*hook.Hook) error {
	return func(h *hook.Hook) error {
		rest.Merge(h, in.hookTexts, hook.Hook{BranchFilterStrategy: "wildcard"})
		rest.Merge(&h.Flags, in.hookFlags, hook.NewFlags(h.Container))
		if h.NamespaceID != nil {
			rest.Merge(&h.GroupFlags, in.groupHookFlags, hook.GroupFlags[bool]{})
		}
		return in.secrets(url).Into(st, h)
	}
}

type hookNew struct {
	URL string `param:"url,required,notempty"`
	hookFields
}

func (hooks) create(ctx context.Context, s scope.Container, in hookNew) (hookView, error) {
	return rest.Show(hookViewOf)(hook.CreateHook(ctx, s.Store, s.Container, in.into(s.Store, rest.Some(in.URL))))
}

type hookChange struct {
	hookID
	URL rest.Opt[string] `param:"url"`
	hookFields
}

func (a hooks) update(ctx context.Context, s scope.Container, in hookChange) (hookView, error) {
	if !in.URL.Given() && !rest.Given(in.hookFields) {
		if _, err := a.show(ctx, s, in.hookID); err != nil {
			return hookView{}, err
		}
		return hookView{}, fault.Param("No parameters provided")
	}
	return rest.Show(hookViewOf)(hook.ChangeHook(ctx, s.Store, s.Container, in.HookID, in.into(s.Store, in.URL)))
}

func (hooks) delete(ctx context.Context, s scope.Container, in hookID) (rest.None, error) {
	return rest.None{}, hook.Hooks(s.Store, s.Container).Delete(ctx, db.ByID(in.HookID), rest.Unmodified)
}
