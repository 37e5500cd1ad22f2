package api

import (
	"context"

	"hew/server/fault"
	"hew/server/forge"
	"hew/server/rest"
)

type hookVariableSet struct {
	hookID
	hookVariable
}

// setVariable sets one header or variable of a hook, new or not.
func (hooks) setVariable(p forge.HookPart) rest.Handler[InProject, hookVariableSet, rest.None] {
	return func(ctx context.Context, s InProject, in hookVariableSet) (rest.None, error) {
		return rest.None{}, forge.SetHookSecret(ctx, s.Store, s.Project.ID, in.HookID, p, forge.HookSecret(in.hookVariable))
	}
}

type hookVariableDelete struct {
	hookID
	Key string `param:"key"`
}

func (hooks) deleteVariable(p forge.HookPart) rest.Handler[InProject, hookVariableDelete, rest.None] {
	return func(ctx context.Context, s InProject, in hookVariableDelete) (rest.None, error) {
		return rest.None{}, forge.DeleteHookSecret(ctx, s.Store, s.Project.ID, in.HookID, p, in.Key)
	}
}

type hookTest struct {
	hookID
	Trigger string `param:"trigger" oneof:"push_events tag_push_events issues_events confidential_issues_events note_events merge_requests_events job_events pipeline_events wiki_page_events releases_events milestone_events emoji_events resource_access_token_events"`
}

func (a hooks) test(ctx context.Context, s InProject, in hookTest) (rest.None, error) {
	return a.undelivered(ctx, s, in.HookID)
}

func (a hooks) listEvents(ctx context.Context, s InProject, in hookID) (rest.None, error) {
	return a.undelivered(ctx, s, in.HookID)
}

func (a hooks) resend(ctx context.Context, s InProject, in hookID) (rest.None, error) {
	return a.undelivered(ctx, s, in.HookID)
}

// undelivered is the answer to whatever is about deliveries of a hook that exists.
func (hooks) undelivered(ctx context.Context, s InProject, id int64) (rest.None, error) {
	if _, err := s.Store.ProjectHook(ctx, s.Project.ID, id); err != nil {
		return rest.None{}, err
	}
	return rest.None{}, fault.NotImplemented("hooks are kept, but nothing is delivered to them yet")
}
