package api

import (
	"context"
	"time"

	"hew/server/merge"
	"hew/server/protect"
	protectapi "hew/server/protect/api"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// approvalsView is what is decided about a merge request (gaps §7.2). The lists of approvers are
// always empty: rules replaced them.
type approvalsView struct {
	requestCore
	MergeStatus      merge.MergeStatus          `json:"merge_status"`
	Approved         bool                       `json:"approved"`
	Required         int                        `json:"approvals_required"`
	Left             int                        `json:"approvals_left"`
	Password         bool                       `json:"require_password_to_approve"`
	ApprovedBy       []givenView                `json:"approved_by"`
	Suggested        []view.BasicUser           `json:"suggested_approvers"`
	Approvers        []view.BasicUser           `json:"approvers"`
	ApproverGroups   []protectapi.ApprovalGroup `json:"approver_groups"`
	UserHasApproved  bool                       `json:"user_has_approved"`
	UserCanApprove   bool                       `json:"user_can_approve"`
	RulesLeft        []ruleName                 `json:"approval_rules_left"`
	HasRules         bool                       `json:"has_approval_rules"`
	RequestApprovers bool                       `json:"merge_request_approvers_available"` // of the edition: always
	MultipleRules    bool                       `json:"multiple_approval_rules_available"` // likewise
	InvalidRules     []ruleName                 `json:"invalid_approvers_rules"`
}

// givenView is an approval that was given.
type givenView struct {
	User       view.BasicUser `json:"user"`
	ApprovedAt time.Time      `json:"approved_at"`
}

type ruleName struct {
	ID       int64  `json:"id"`
	Name     string `json:"name"`
	RuleType string `json:"rule_type"`
}

// ruleView is a rule of a merge request with everything it names that the caller may see (more
// §6.3).
type ruleView struct {
	ruleName
	ReportType   *string                    `json:"report_type"`
	Eligible     []view.BasicUser           `json:"eligible_approvers"`
	Required     int                        `json:"approvals_required"`
	Users        []view.BasicUser           `json:"users"`
	Groups       []protectapi.ApprovalGroup `json:"groups"`
	HiddenGroups bool                       `json:"contains_hidden_groups"`
	Section      *string                    `json:"section"`
	Source       *sourceView                `json:"source_rule"`
	Overridden   bool                       `json:"overridden"`
}

// sourceView is what a view shows of the rule of the project that a rule stands for.
type sourceView struct {
	Required int `json:"approvals_required"`
}

// ruleStateView is a rule that holds for a merge request, with who approved it.
type ruleStateView struct {
	ruleView
	CodeOwner  bool             `json:"code_owner"`
	ApprovedBy []view.BasicUser `json:"approved_by"`
	Approved   bool             `json:"approved"`
}

// approvalStateView lists the rules that hold for a merge request.
type approvalStateView struct {
	Overwritten bool            `json:"approval_rules_overwritten"`
	Rules       []ruleStateView `json:"rules"`
}

// groupsOf returns the groups that rules name and that the caller can see, by id.
func groupsOf(ctx context.Context, s scope.Anyone, a merge.Approvals) (map[int64]tree.Group, error) {
	var ids []int64
	for _, r := range a.Rules {
		ids = append(ids, r.GroupIDs...)
	}
	list, err := protect.VisibleGroups(ctx, s.Store, protectapi.VisibleGroups(s.Caller), ids)
	groups := map[int64]tree.Group{}
	for _, g := range list {
		groups[g.ID] = g
	}
	return groups, err
}

func nameOf(r merge.RuleState) ruleName { return ruleName{r.ID, r.Name, r.RuleType} }

func ruleViewOf(site *view.Site, groups map[int64]tree.Group, r merge.RuleState) ruleView {
	v := ruleView{
		ruleName: nameOf(r), ReportType: r.ReportType, Eligible: peopleOf(site, r.EligibleBy(groups)),
		Required: r.ApprovalsRequired, Users: peopleOf(site, r.Users), Groups: []protectapi.ApprovalGroup{},
		Section: r.Section, Overridden: r.IsOverridden(),
	}
	for _, id := range r.GroupIDs {
		if g, ok := groups[id]; ok {
			v.Groups = append(v.Groups, protectapi.ApprovalGroupOf(site, g))
		} else {
			v.HiddenGroups = true
		}
	}
	if r.Source != nil && !r.OfProject {
		v.Source = &sourceView{r.Source.ApprovalsRequired}
	}
	return v
}

func ruleStateViewOf(site *view.Site, groups map[int64]tree.Group, r merge.RuleState) ruleStateView {
	return ruleStateView{
		ruleView: ruleViewOf(site, groups, r), CodeOwner: r.RuleType == merge.CodeOwner,
		ApprovedBy: peopleOf(site, r.ApprovedBy), Approved: r.Approved(),
	}
}

func peopleOf(site *view.Site, list []tree.Person) []view.BasicUser {
	shown := make([]view.BasicUser, len(list))
	for n, p := range list {
		shown[n] = site.BasicUser(p)
	}
	return shown
}

// approvalsViewOf returns the view of what is decided about a merge request, for a user.
func approvalsViewOf(
	site *view.Site, groups map[int64]tree.Group, r merge.Request, a merge.Approvals, userID int64,
) approvalsView {
	v := approvalsView{
		requestCore: coreOf(r), MergeStatus: r.ShownStatus(), Approved: a.Approved(),
		Required: a.Required(), Left: a.Left(), Password: a.Settings.Reauthentication.Value, ApprovedBy: []givenView{},
		Suggested: peopleOf(site, a.Suggested(groups)), Approvers: []view.BasicUser{},
		ApproverGroups: []protectapi.ApprovalGroup{}, UserHasApproved: a.HasApproved(userID),
		UserCanApprove: a.CanApprove(userID), RulesLeft: []ruleName{}, HasRules: len(a.Rules) > 0,
		RequestApprovers: true, MultipleRules: true, InvalidRules: []ruleName{},
	}
	for _, given := range a.Given {
		v.ApprovedBy = append(v.ApprovedBy, givenView{site.BasicUser(given.Person), given.CreatedAt})
	}
	for _, rule := range a.Rules {
		if rule.IsInvalid() {
			v.InvalidRules = append(v.InvalidRules, nameOf(rule))
		}
	}
	for _, rule := range a.Missing() {
		v.RulesLeft = append(v.RulesLeft, nameOf(rule))
	}
	return v
}
