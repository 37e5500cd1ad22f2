package api

import (
	"context"
	"slices"

	"hew/server/auth"
	"hew/server/db"
	"hew/server/group"
	"hew/server/protect"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// approvalRules are the routes of approval rules of projects and groups (spec 2 §2.5, §4.3, gaps
// §7.3).
type approvalRules struct{ *view.Site }

func (a approvalRules) routes() []rest.Route {
	group := scope.HeldByGroup(adminGroupApproval)
	read, admin := scope.HeldByProject(readApproval), scope.HeldByProject(adminApproval)
	return slices.Concat(
		a.at("/groups/{id}/approval_rules", group, group), a.at("/projects/{id}/approval_rules", read, admin),
	)
}

// at returns the routes of approval rules under a path.
func (a approvalRules) at(path string, read, admin rest.Guard[scope.Container]) []rest.Route {
	one := path + "/{approval_rule_id}"
	return []rest.Route{
		rest.Get(path, read, a.list),
		rest.Get(one, read, a.show),
		rest.Post(path, admin, a.create),
		rest.Put(one, admin, a.update),
		rest.Delete(one, admin, a.delete),
	}
}

// approvals returns the scope of rules in a group or project. A rule may name the groups that the
// caller can see.
func approvals(s scope.Container) protect.ApprovalScope {
	return protect.ApprovalScope{Source: s.Source, Visible: VisibleGroups(s.Caller)}
}

// VisibleGroups returns the filter of the groups that a caller can see.
func VisibleGroups(c auth.Caller) group.GroupFilter {
	return group.GroupFilter{UserID: c.ID(), Open: new(scope.OpenTo(c))}
}

type approvalRuleList struct{ rest.Paging }

func (a approvalRules) list(
	ctx context.Context, s scope.Container, in approvalRuleList,
) (rest.List[approvalRuleView], error) {
	page := scope.PageOf(in.Paging)
	page.Order = protect.AnyApproverFirst
	rules, total, err := protect.ApprovalRules(s.Store, s.Container).List(ctx, page)
	if err != nil {
		return rest.List[approvalRuleView]{}, err
	}
	views, err := a.views(ctx, s, rules)
	return rest.Page(views, total, err)
}

type approvalRuleID struct {
	ApprovalRuleID int64 `param:"approval_rule_id"`
}

func (a approvalRules) show(ctx context.Context, s scope.Container, in approvalRuleID) (approvalRuleView, error) {
	return a.shown(ctx, s)(protect.ApprovalRules(s.Store, s.Container).One(ctx, db.ByID(in.ApprovalRuleID)))
}

// shown returns a function that shows a rule, or passes on an error.
func (a approvalRules) shown(
	ctx context.Context, s scope.Container,
) func(protect.ApprovalRule, error) (approvalRuleView, error) {
	return func(r protect.ApprovalRule, err error) (approvalRuleView, error) {
		if err != nil {
			return approvalRuleView{}, err
		}
		views, err := a.views(ctx, s, []protect.ApprovalRule{r})
		if err != nil {
			return approvalRuleView{}, err
		}
		return views[0], nil
	}
}

// RuleParties lists whom a rule names, as parameters.
type RuleParties struct {
	UserIDs   rest.Opt[[]int64]  `param:"user_ids,comma"`
	Usernames rest.Opt[[]string] `param:"usernames,comma"`
	GroupIDs  rest.Opt[[]int64]  `param:"group_ids,comma"`
}

// Names returns those whom the rule is to name.
func (in RuleParties) Names() protect.RuleNames {
	return protect.RuleNames{
		UserIDs: listOf(in.UserIDs), Usernames: listOf(in.Usernames), GroupIDs: listOf(in.GroupIDs),
	}
}

// approvalRuleNames lists whom and what a rule names.
type approvalRuleNames struct {
	RuleParties
	BranchIDs rest.Opt[[]int64] `param:"protected_branch_ids,comma"`
}

func (in approvalRuleNames) names() protect.RuleNames {
	names := in.Names()
	names.BranchIDs = listOf(in.BranchIDs)
	return names
}

// listOf returns a list that was given, an empty one for null, or nil if none was given.
func listOf[T any](list rest.Opt[[]T]) *[]T {
	if !list.Given() {
		return nil
	}
	return new(list.Or(nil))
}

// approvalRuleFields has the field names of protect.ApprovalRule.
type approvalRuleFields struct {
	rest.Into[protect.ApprovalRule]
	AllProtected rest.Opt[bool] `param:"applies_to_all_protected_branches"`
}

type approvalRuleNew struct {
	Name              string  `param:"name,required"`
	ApprovalsRequired int     `param:"approvals_required,required"`
	RuleType          string  `param:"rule_type" default:"regular" oneof:"regular any_approver report_approver"`
	ReportType        *string `param:"report_type" oneof:"license_scanning code_coverage"`
	approvalRuleNames
	approvalRuleFields
}

func (in approvalRuleNew) into(r *protect.ApprovalRule) error {
	r.Name, r.ApprovalsRequired, r.RuleType, r.ReportType = in.Name, in.ApprovalsRequired, in.RuleType, in.ReportType
	in.approvalRuleFields.into(r)
	return nil
}

func (in approvalRuleFields) into(r *protect.ApprovalRule) {
	if r.ProjectID != nil { // a group's rule is for all of them
		rest.Merge(r, in, protect.ApprovalRule{})
	}
}

func (a approvalRules) create(ctx context.Context, s scope.Container, in approvalRuleNew) (approvalRuleView, error) {
	return a.shown(ctx, s)(protect.CreateApprovalRule(ctx, s.Store, approvals(s), in.names(), in.into))
}

type approvalRuleChange struct {
	approvalRuleID
	Name              rest.Opt[string] `param:"name"`
	ApprovalsRequired rest.Opt[int]    `param:"approvals_required"`
	RuleType          rest.Opt[string] `param:"rule_type" oneof:"regular any_approver"` // of a group
	RemoveHidden      bool             `param:"remove_hidden_groups"`
	approvalRuleNames
	approvalRuleFields
}

func (in approvalRuleChange) into(r *protect.ApprovalRule) error {
	in.Name.Into(&r.Name)
	r.ApprovalsRequired = in.ApprovalsRequired.Or(r.ApprovalsRequired)
	if r.NamespaceID != nil {
		r.RuleType = in.RuleType.Or(r.RuleType)
	}
	in.approvalRuleFields.into(r)
	return nil
}

func (a approvalRules) update(ctx context.Context, s scope.Container, in approvalRuleChange) (approvalRuleView, error) {
	names := in.names()
	names.RemoveHidden = in.RemoveHidden
	return a.shown(ctx, s)(protect.ChangeApprovalRule(ctx, s.Store, approvals(s), in.ApprovalRuleID, names, in.into))
}

func (approvalRules) delete(ctx context.Context, s scope.Container, in approvalRuleID) (rest.None, error) {
	return rest.None{},
		protect.ApprovalRules(s.Store, s.Container).Delete(ctx, db.ByID(in.ApprovalRuleID), rest.Unmodified)
}
