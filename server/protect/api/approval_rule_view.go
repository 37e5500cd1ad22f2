package api

import (
	"context"
	"maps"
	"slices"

	"hew/server/db"
	groupapi "hew/server/group/api"
	"hew/server/protect"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// approvalRuleView is an approval rule with everything it names that the caller may see.
type approvalRuleView struct {
	protect.ApprovalRule
	EligibleApprovers []view.BasicUser      `json:"eligible_approvers"` // users, and the members of groups
	Users             []view.BasicUser      `json:"users"`
	Usernames         []string              `json:"usernames"`
	Groups            []ApprovalGroup       `json:"groups"`
	HiddenGroups      bool                  `json:"contains_hidden_groups"`
	ProtectedBranches []protectedBranchView `json:"protected_branches"`
}

// ApprovalGroup is a group whose members may approve.
type ApprovalGroup struct {
	ID                   int64         `json:"id"`
	Name                 string        `json:"name"`
	Path                 string        `json:"path"`
	Description          string        `json:"description"`
	Visibility           db.Visibility `json:"visibility"`
	LFSEnabled           bool          `json:"lfs_enabled"`
	AvatarURL            *string       `json:"avatar_url"`
	WebURL               string        `json:"web_url"`
	RequestAccessEnabled bool          `json:"request_access_enabled"`
	FullName             string        `json:"full_name"`
	FullPath             string        `json:"full_path"`
	ParentID             *int64        `json:"parent_id"`
	LDAPCN               *string       `json:"ldap_cn"`
	LDAPAccess           *int          `json:"ldap_access"`
}

// ApprovalGroupOf returns the view of a group.
func ApprovalGroupOf(a *view.Site, g tree.Group) ApprovalGroup {
	v := groupapi.GroupViewOf(a, g)
	return ApprovalGroup{
		ID: v.ID, Name: v.Name, Path: v.Path, Description: v.Description, Visibility: v.Visibility,
		LFSEnabled: v.LFSEnabled,
		AvatarURL:  v.AvatarURL, WebURL: v.WebURL, RequestAccessEnabled: v.RequestAccessEnabled, FullName: v.FullName,
		FullPath: v.FullPath, ParentID: v.ParentID,
	}
}

// views shows rules. It reads what they name for all of them at once.
func (a approvalRules) views(
	ctx context.Context, s scope.Container, rules []protect.ApprovalRule,
) ([]approvalRuleView, error) {
	groups, err := a.visible(ctx, s, rules)
	if err != nil {
		return nil, err
	}
	approvers, err := protect.Approvers(ctx, s.Store, s.Source, rules, slices.Collect(maps.Keys(groups)))
	if err != nil {
		return nil, err
	}
	branches, err := a.branches(ctx, s, rules)
	if err != nil {
		return nil, err
	}
	views := make([]approvalRuleView, len(rules))
	for i, r := range rules {
		views[i] = a.view(r, groups, approvers, branches)
	}
	return views, nil
}

// visible returns the groups that rules name and that the caller can see, by id.
func (approvalRules) visible(
	ctx context.Context, s scope.Container, rules []protect.ApprovalRule,
) (map[int64]tree.Group, error) {
	var ids []int64
	for _, r := range rules {
		ids = append(ids, r.GroupIDs...)
	}
	list, err := protect.VisibleGroups(ctx, s.Store, approvals(s).Visible, ids)
	groups := map[int64]tree.Group{}
	for _, g := range list {
		groups[g.ID] = g
	}
	return groups, err
}

// branches returns the protected branches that rules name: all of them, if one rule is for all.
func (approvalRules) branches(
	ctx context.Context, s scope.Container, rules []protect.ApprovalRule,
) ([]protect.ProtectedRef, error) {
	var which []db.Condition
	if !slices.ContainsFunc(rules, func(r protect.ApprovalRule) bool { return r.AllProtected }) {
		var ids []int64
		for _, r := range rules {
			ids = append(ids, r.BranchIDs...)
		}
		which = append(which, db.WithIDs(ids))
	}
	return protect.AllProtectedRefs(ctx, s.Store, s.Container, protect.Branch, which...)
}

func (a approvalRules) view(
	r protect.ApprovalRule, groups map[int64]tree.Group, approvers []protect.Approver, branches []protect.ProtectedRef,
) approvalRuleView {
	v := approvalRuleView{
		ApprovalRule: r, EligibleApprovers: []view.BasicUser{}, Users: []view.BasicUser{}, Usernames: []string{},
		Groups: []ApprovalGroup{}, ProtectedBranches: []protectedBranchView{},
	}
	for _, u := range approvers {
		if u.RuleID == r.ID && u.Active {
			v.EligibleApprovers = append(v.EligibleApprovers, a.BasicUser(*u.Person))
		}
		if u.RuleID == r.ID && u.Named {
			v.Users = append(v.Users, a.BasicUser(*u.Person))
			v.Usernames = append(v.Usernames, u.Person.Username)
		}
	}
	for _, id := range r.GroupIDs {
		if g, ok := groups[id]; ok {
			v.Groups = append(v.Groups, ApprovalGroupOf(a.Site, g))
		} else {
			v.HiddenGroups = true
		}
	}
	for _, b := range branches {
		if r.AllProtected || slices.Contains(r.BranchIDs, b.ID) {
			v.ProtectedBranches = append(v.ProtectedBranches, protectedBranchViewIn(r.Container)(b))
		}
	}
	return v
}
