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

// pushRules are what a push to a project has to keep to, and what new projects of a group begin with (spec 2 §2.9, gaps
// §3.4, §4.3). A group or project has one, or none yet.
type pushRules struct{ *Site }

func (a pushRules) routes() []rest.Route {
	return slices.Concat(
		a.at("/groups/{id}/push_rule", as(a.group(policy.AdminGroupPushRule), InGroup.container)),
		a.at("/projects/{id}/push_rule", as(a.project(policy.AdminPushRule), InProject.container)),
	)
}

// at are the routes of a push rule under a path.
func (a pushRules) at(path string, admin rest.Guard[container]) []rest.Route {
	return []rest.Route{
		rest.Get(path, admin, a.show),
		rest.Post(path, admin, a.create),
		rest.Put(path, admin, a.update),
		rest.Delete(path, admin, a.delete),
	}
}

type pushRuleView struct {
	store.PushRule
	ProjectID *int64 `json:"project_id,omitempty"`
}

func pushRuleViewOf(r store.PushRule) *pushRuleView {
	return &pushRuleView{PushRule: r, ProjectID: r.ProjectID}
}

// show says of a group that has no rule yet that there is none, and of a project null.
func (pushRules) show(ctx context.Context, s container, _ rest.None) (*pushRuleView, error) {
	r, err := s.Store.PushRules(s.Container).One(ctx, store.Only)
	if fault.CodeOf(err) == fault.CodeNotFound {
		if s.ProjectID != nil {
			return nil, nil
		}
		err = fault.NotFound("")
	}
	return rest.Show(pushRuleViewOf)(r, err)
}

// pushRuleFields are called as in store.PushRule.
type pushRuleFields struct {
	rest.Into[store.PushRule]
	CommitMessageRegex         rest.Opt[string] `param:"commit_message_regex"`
	CommitMessageNegativeRegex rest.Opt[string] `param:"commit_message_negative_regex"`
	BranchNameRegex            rest.Opt[string] `param:"branch_name_regex"`
	AuthorEmailRegex           rest.Opt[string] `param:"author_email_regex"`
	FileNameRegex              rest.Opt[string] `param:"file_name_regex"`
	DenyDeleteTag              rest.Opt[bool]   `param:"deny_delete_tag"`
	MemberCheck                rest.Opt[bool]   `param:"member_check"`
	PreventSecrets             rest.Opt[bool]   `param:"prevent_secrets"`
	CommitCommitterCheck       rest.Opt[bool]   `param:"commit_committer_check"`
	CommitCommitterNameCheck   rest.Opt[bool]   `param:"commit_committer_name_check"`
	RejectUnsignedCommits      rest.Opt[bool]   `param:"reject_unsigned_commits"`
	RejectNonDCOCommits        rest.Opt[bool]   `param:"reject_non_dco_commits"`
	MaxFileSize                rest.Opt[int]    `param:"max_file_size" min:"0" max:"2147483647"`
	_                          struct{}         `atleast:"*"`
}

func (in pushRuleFields) into(r *store.PushRule) error {
	rest.Merge(r, in, store.PushRule{})
	return nil
}

func (pushRules) create(ctx context.Context, s container, in pushRuleFields) (*pushRuleView, error) {
	return rest.Show(pushRuleViewOf)(forge.CreatePushRule(ctx, s.Store, s.Container, in.into))
}

func (pushRules) update(ctx context.Context, s container, in pushRuleFields) (*pushRuleView, error) {
	return rest.Show(pushRuleViewOf)(forge.ChangePushRule(ctx, s.Store, s.Container, in.into))
}

func (pushRules) delete(ctx context.Context, s container, _ rest.None) (rest.None, error) {
	return rest.None{}, s.Store.PushRules(s.Container).Delete(ctx, store.Only, rest.Unmodified)
}
