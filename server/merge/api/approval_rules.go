package api

import (
	"context"

	"hew/server/fault"
	"hew/server/merge"
	"hew/server/policy"
	"hew/server/protect"
	protectapi "hew/server/protect/api"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// approvalRules serves the rules that a merge request has itself: those that it has in place of the
// project's, and those of code owners, which nobody edits (gaps §7.1). Which rules hold for it, the
// approval_state says.
type approvalRules struct{ *view.Site }

func (a approvalRules) routes() []rest.Route {
	const path = "/projects/{id}/merge_requests/{merge_request_iid}/approval_rules"
	const one = path + "/{rule_id}"
	read, edit := ForRequest(policy.ReadMergeRequest), ForRequest(adminRequest)
	return []rest.Route{
		rest.Get(path, read, a.list),
		rest.Get(one, read, a.show),
		rest.Post(path, edit, a.create),
		rest.Put(one, edit, a.update),
		rest.Delete(one, edit, a.delete),
	}
}

// editsRules returns nil if the caller may edit the approval rules of the merge request:
// maintainers, and its author (more §6.3).
func (s InRequest) editsRules() error {
	if s.Can(adminApprovers) || s.Request.IsAuthor(s.Caller.ID()) {
		return nil
	}
	return fault.Forbidden("")
}

// ruleEditor returns what edits the rules of the merge request for the caller.
func (s InRequest) ruleEditor() merge.RuleEditor {
	p := s.Project.Project
	return merge.RuleEditor{
		ApprovalScope: protect.ApprovalScope{
			Source: tree.InProject(p), Visible: protectapi.VisibleGroups(s.Caller),
		},
		Project: p, RequestID: s.Request.ID,
	}
}

func (a approvalRules) list(
	ctx context.Context, s InRequest, in struct{ rest.Paging },
) (rest.List[ruleView], error) {
	rules, total, err := merge.ListRules(ctx, s.Store, s.Request, scope.PageOf(in.Paging))
	if err != nil {
		return rest.List[ruleView]{}, err
	}
	views, err := a.views(ctx, s, rules)
	return rest.Page(views, total, err)
}

type ruleID struct {
	ID int64 `param:"rule_id"`
}

func (a approvalRules) show(ctx context.Context, s InRequest, in ruleID) (ruleView, error) {
	return a.shown(ctx, s)(merge.FindRule(ctx, s.Store, s.Request, in.ID))
}

// shown returns a function that shows a rule, or passes on an error.
func (a approvalRules) shown(ctx context.Context, s InRequest) func(merge.Rule, error) (ruleView, error) {
	return func(r merge.Rule, err error) (ruleView, error) {
		if err != nil {
			return ruleView{}, err
		}
		views, err := a.views(ctx, s, []merge.Rule{r})
		if err != nil {
			return ruleView{}, err
		}
		return views[0], nil
	}
}

// views shows rules. It reads what they name for all of them at once.
func (a approvalRules) views(ctx context.Context, s InRequest, rules []merge.Rule) ([]ruleView, error) {
	decided, err := merge.ReadApprovalsOf(ctx, s.Store, s.Project.Project, s.Request, rules)
	if err != nil {
		return nil, err
	}
	groups, err := groupsOf(ctx, s.Anyone, decided)
	views := make([]ruleView, len(rules))
	for n, r := range decided.Rules {
		views[n] = ruleViewOf(a.Site, groups, r)
	}
	return views, err
}

type ruleNew struct {
	Name     string `param:"name,required"`
	Required int    `param:"approvals_required,required"`
	SourceID int64  `param:"approval_project_rule_id"`
	protectapi.RuleParties
}

func (a approvalRules) create(ctx context.Context, s InRequest, in ruleNew) (ruleView, error) {
	if err := s.editsRules(); err != nil {
		return ruleView{}, err
	}
	return a.shown(ctx, s)(s.ruleEditor().Create(ctx, s.Store, in.SourceID, in.Names(), func(r *merge.Rule) error {
		r.Name, r.ApprovalsRequired = in.Name, in.Required
		return nil
	}))
}

type ruleChange struct {
	ruleID
	Name         rest.Opt[string] `param:"name"`
	Required     rest.Opt[int]    `param:"approvals_required"`
	RemoveHidden bool             `param:"remove_hidden_groups"`
	protectapi.RuleParties
}

func (a approvalRules) update(ctx context.Context, s InRequest, in ruleChange) (ruleView, error) {
	if err := s.editsRules(); err != nil {
		return ruleView{}, err
	}
	names := in.Names()
	names.RemoveHidden = in.RemoveHidden
	return a.shown(ctx, s)(s.ruleEditor().Change(ctx, s.Store, in.ID, names, func(r *merge.Rule) error {
		in.Name.Into(&r.Name)
		r.ApprovalsRequired = in.Required.Or(r.ApprovalsRequired)
		return nil
	}))
}

func (approvalRules) delete(ctx context.Context, s InRequest, in ruleID) (rest.None, error) {
	if err := s.editsRules(); err != nil {
		return rest.None{}, err
	}
	return rest.None{}, s.ruleEditor().Delete(ctx, s.Store, in.ID, rest.Unmodified)
}

// require has the merge request require approvals, if the caller may edit its rules and the project
// allows rules of its own, and returns it as it is then.
func (in requestNew) require(ctx context.Context, s InRequest) (merge.Request, error) {
	if in.ApprovalsBefore == 0 || !s.Can(adminRequest) {
		return s.Request, nil
	}
	err := s.ruleEditor().RequireMore(ctx, s.Store, in.ApprovalsBefore)
	if err != nil && fault.CodeOf(err) != fault.CodeForbidden {
		return s.Request, err
	}
	return s.reload(ctx)
}
