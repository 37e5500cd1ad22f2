package api

import (
	"context"

	"hew/server/project"
	"hew/server/protect"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// approvalSettings are the routes of the settings of approvals (spec 2 §2.5, §4.3, gaps §7.3). A
// project has them in two forms: as settings with who decides each, and as a configuration, most of
// whose words forbid something.
type approvalSettings struct{}

func (a approvalSettings) routes() []rest.Route {
	const group, project = "/groups/{id}/merge_request_approval_setting",
		"/projects/{id}/merge_request_approval_setting"
	ofGroup := scope.HeldByGroup(adminGroupApproval)
	read, admin := scope.ForProject(readApproval), scope.ForProject(adminApproval)
	return []rest.Route{
		rest.Get(group, ofGroup, a.show),
		rest.Put(group, ofGroup, a.update),
		rest.Get(project, scope.As(read, scope.InProject.Container), a.show),
		rest.Put(project, scope.As(admin, scope.InProject.Container), a.update),
		rest.Get("/projects/{id}/approvals", read, a.showConfiguration),
		rest.Post("/projects/{id}/approvals", admin, a.configure),
	}
}

// approvalSettingsView shows each setting with who decides it. The requirement of a password is an
// older name of reauthentication.
type approvalSettingsView struct {
	protect.ApprovalSwitches[protect.ApprovalSetting]
	Password protect.ApprovalSetting `json:"require_password_to_approve"`
}

func approvalSettingsViewOf(s protect.ApprovalSwitches[protect.ApprovalSetting]) approvalSettingsView {
	return approvalSettingsView{ApprovalSwitches: s, Password: s.Reauthentication}
}

func (approvalSettings) show(ctx context.Context, s scope.Container, _ rest.None) (approvalSettingsView, error) {
	return rest.Show(approvalSettingsViewOf)(protect.ReadApprovalSettings(ctx, s.Store, s.Source))
}

type approvalSwitches struct {
	rest.Into[protect.ApprovalSwitches[bool]]
	protect.ApprovalSwitches[rest.Opt[bool]]
}

type approvalSettingsChange struct {
	approvalSwitches
	Password rest.Opt[bool] `param:"require_password_to_approve"`
	_        struct{}       `atleast:"*"`
}

func (in approvalSettingsChange) into(s *protect.ApprovalSettings) error {
	in.Password.Into(&s.Reauthentication)
	rest.Merge(&s.ApprovalSwitches, in.approvalSwitches, protect.NewApprovalSwitches(s.Container))
	return nil
}

func (approvalSettings) update(
	ctx context.Context, s scope.Container, in approvalSettingsChange,
) (approvalSettingsView, error) {
	return rest.Show(approvalSettingsViewOf)(protect.ChangeApprovalSettings(ctx, s.Store, s.Source, in.into))
}

// approvalConfiguration is the configuration of a project. The lists are always empty and
// approvals_before_merge has no effect: rules replaced both.
type approvalConfiguration struct {
	Approvers            []view.BasicUser `json:"approvers"`
	ApproverGroups       []ApprovalGroup  `json:"approver_groups"`
	ApprovalsBeforeMerge int              `json:"approvals_before_merge"`
	approvalWords[bool]
	Password bool `json:"require_password_to_approve"`
}

// approvalWords are the settings by the names of a configuration, with S as a parameter or a view.
type approvalWords[S any] struct {
	ResetOnPush         S `json:"reset_approvals_on_push" param:"reset_approvals_on_push"`
	SelectiveRemovals   S `json:"selective_code_owner_removals" param:"selective_code_owner_removals"`
	NoOverrides         S `json:"disable_overriding_approvers_per_merge_request" param:"disable_overriding_approvers_per_merge_request"`
	AuthorApproval      S `json:"merge_requests_author_approval" param:"merge_requests_author_approval"`
	NoCommitterApproval S `json:"merge_requests_disable_committers_approval" param:"merge_requests_disable_committers_approval"`
	Reauthentication    S `json:"require_reauthentication_to_approve" param:"require_reauthentication_to_approve"`
}

// all returns pointers to the words in the order of protect.ApprovalSwitches.All.
func (w *approvalWords[S]) all() [6]*S {
	return [...]*S{
		&w.AuthorApproval, &w.NoCommitterApproval, &w.NoOverrides, &w.ResetOnPush, &w.SelectiveRemovals,
		&w.Reauthentication,
	}
}

// forbidding marks the words that are true where the setting is false.
var forbidding = approvalWords[bool]{ResetOnPush: true, NoOverrides: true, NoCommitterApproval: true}

func approvalConfigurationOf(
	beforeMerge int,
) func(protect.ApprovalSwitches[protect.ApprovalSetting]) approvalConfiguration {
	return func(s protect.ApprovalSwitches[protect.ApprovalSetting]) approvalConfiguration {
		v := approvalConfiguration{
			Approvers: []view.BasicUser{}, ApproverGroups: []ApprovalGroup{}, ApprovalsBeforeMerge: beforeMerge,
			Password: s.Reauthentication.Value,
		}
		for i, word := range v.all() {
			*word = s.All()[i].Value != *forbidding.all()[i]
		}
		return v
	}
}

func (approvalSettings) showConfiguration(
	ctx context.Context, p scope.InProject, _ rest.None,
) (approvalConfiguration, error) {
	show := approvalConfigurationOf(p.Project.Settings.ApprovalsBeforeMerge)
	return rest.Show(show)(protect.ReadApprovalSettings(ctx, p.Store, tree.InProject(p.Project.Project)))
}

type approvalConfigurationChange struct {
	ApprovalsBeforeMerge *int `param:"approvals_before_merge" min:"0"`
	approvalWords[rest.Opt[bool]]
	Password rest.Opt[bool] `param:"require_password_to_approve"`
	_        struct{}       `atleast:"*"`
}

// into stores the settings, with forbidding words negated. Null means false.
func (in approvalConfigurationChange) into(s *protect.ApprovalSettings) error {
	if !in.Reauthentication.Given() {
		in.Reauthentication = in.Password
	}
	for i, word := range in.all() {
		if word.Given() {
			*s.All()[i] = word.Or(false) != *forbidding.all()[i]
		}
	}
	return nil
}

func (approvalSettings) configure(
	ctx context.Context, p scope.InProject, in approvalConfigurationChange,
) (approvalConfiguration, error) {
	pr := p.Project.Project
	if in.ApprovalsBeforeMerge != nil {
		var err error
		pr, err = project.ChangeProject(ctx, p.Store, pr.ID, func(p *tree.Project) error {
			p.Settings.ApprovalsBeforeMerge = *in.ApprovalsBeforeMerge
			return nil
		})
		if err != nil {
			return approvalConfiguration{}, err
		}
	}
	return rest.Show(approvalConfigurationOf(pr.Settings.ApprovalsBeforeMerge))(
		protect.ChangeApprovalSettings(ctx, p.Store, tree.InProject(pr), in.into))
}
