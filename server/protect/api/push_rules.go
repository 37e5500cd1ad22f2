package api

import (
	"context"
	"slices"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/protect"
	"hew/server/rest"
	"hew/server/scope"
)

// pushRules are the routes of the push rule of a project, and of a group for its new projects (spec
// 2 §2.9, gaps §3.4, §4.3).
type pushRules struct{}

func (a pushRules) routes() []rest.Route {
	return slices.Concat(
		a.at("/groups/{id}/push_rule", scope.HeldByGroup(adminGroupPushRule)),
		a.at("/projects/{id}/push_rule", scope.HeldByProject(adminPushRule)),
	)
}

// at returns the routes of a push rule under a path.
func (a pushRules) at(path string, admin rest.Guard[scope.Container]) []rest.Route {
	return []rest.Route{
		rest.Get(path, admin, a.show),
		rest.Post(path, admin, a.create),
		rest.Put(path, admin, a.update),
		rest.Delete(path, admin, a.delete),
	}
}

type pushRuleView struct {
	protect.PushRule
	ProjectID *int64 `json:"project_id,omitempty"`
}

func pushRuleViewOf(r protect.PushRule) *pushRuleView {
	return &pushRuleView{PushRule: r, ProjectID: r.ProjectID}
}

// show answers 404 for a group without a rule, and null for a project without one.
func (pushRules) show(ctx context.Context, s scope.Container, _ rest.None) (*pushRuleView, error) {
	r, err := protect.PushRules(s.Store, s.Container).One(ctx, db.AnyRow)
	if fault.CodeOf(err) == fault.CodeNotFound {
		if s.ProjectID != nil {
			return nil, nil
		}
		err = fault.NotFound("")
	}
	return rest.Show(pushRuleViewOf)(r, err)
}

// pushRuleFields has the field names of protect.PushRule.
type pushRuleFields struct {
	rest.Into[protect.PushRule]
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

func (in pushRuleFields) into(r *protect.PushRule) error {
	rest.Merge(r, in, protect.PushRule{})
	return nil
}

func (pushRules) create(ctx context.Context, s scope.Container, in pushRuleFields) (*pushRuleView, error) {
	return rest.Show(pushRuleViewOf)(protect.CreatePushRule(ctx, s.Store, s.Container, in.into))
}

func (pushRules) update(ctx context.Context, s scope.Container, in pushRuleFields) (*pushRuleView, error) {
	return rest.Show(pushRuleViewOf)(protect.ChangePushRule(ctx, s.Store, s.Container, in.into))
}

func (pushRules) delete(ctx context.Context, s scope.Container, _ rest.None) (rest.None, error) {
	return rest.None{}, protect.PushRules(s.Store, s.Container).Delete(ctx, db.AnyRow, rest.Unmodified)
}
