package policy

import "slices"

// Ability is something that may be done, named as the access matrix prints it.
type Ability string

// The abilities.
const (
	AdminInstance Ability = "admin_instance"
	CreateGroup   Ability = "create_group"

	ReadInstanceRunner Ability = "read_instance_runner"

	ReadGroup             Ability = "read_group"
	ReadGroupMember       Ability = "read_group_member"
	CreateProject         Ability = "create_project"
	CreateSubgroup        Ability = "create_subgroup"
	AdminGroup            Ability = "admin_group"
	AdminGroupMember      Ability = "admin_group_member"
	ShareGroup            Ability = "share_group"
	AdminGroupHook        Ability = "admin_group_hook"
	AdminGroupToken       Ability = "admin_group_token"
	AdminGroupPushRule    Ability = "admin_group_push_rule"
	AdminGroupBranch      Ability = "admin_group_protected_branch"
	AdminGroupIntegration Ability = "admin_group_integration"
	AdminGroupVariable    Ability = "admin_group_variable"
	ReadGroupRunner       Ability = "read_group_runner"
	AdminGroupRunner      Ability = "admin_group_runner"
	TransferGroup         Ability = "transfer_group"
	DeleteGroup           Ability = "delete_group"
	RestoreGroup          Ability = "restore_group"
	AdminGroupApproval    Ability = "admin_group_approval"
	ReadGroupLabel        Ability = "read_group_label"
	ReadGroupMilestone    Ability = "read_group_milestone"
	AdminGroupLabel       Ability = "admin_group_label"
	AdminGroupMilestone   Ability = "admin_group_milestone"
	AdminGroupLDAP        Ability = "admin_group_ldap"
	AdminGroupSAML        Ability = "admin_group_saml"

	ReadProject         Ability = "read_project"
	ReadProjectMember   Ability = "read_project_member"
	ReadIssue           Ability = "read_issue"
	ReadMergeRequest    Ability = "read_merge_request"
	ReadCode            Ability = "read_code"
	PushCode            Ability = "push_code"
	AdminProject        Ability = "admin_project"
	AdminProjectMember  Ability = "admin_project_member"
	AdminHook           Ability = "admin_hook"
	AdminProjectToken   Ability = "admin_project_token"
	AdminPushRule       Ability = "admin_push_rule"
	ReadProtectedRef    Ability = "read_protected_ref"
	AdminProtectedRef   Ability = "admin_protected_ref"
	AdminIntegration    Ability = "admin_integration"
	AdminVariable       Ability = "admin_variable"
	AdminDeployKey      Ability = "admin_deploy_key"
	AdminRunner         Ability = "admin_runner"
	ReadApproval        Ability = "read_approval"
	AdminApproval       Ability = "admin_approval"
	AdminLabel          Ability = "admin_label"
	AdminMilestone      Ability = "admin_milestone"
	ReadAlert           Ability = "read_alert"
	AdminAlerts         Ability = "admin_alerts"
	AdminErrorTracking  Ability = "admin_error_tracking"
	AdminMirror         Ability = "admin_mirror"
	ReadTerraformState  Ability = "read_terraform_state"
	AdminTerraformState Ability = "admin_terraform_state"
	RenameProject       Ability = "rename_project"
	ChangeVisibility    Ability = "change_visibility"
	ArchiveProject      Ability = "archive_project"
	TransferProject     Ability = "transfer_project"
	DeleteProject       Ability = "delete_project"
	RestoreProject      Ability = "restore_project"
)

// Feature is a part of a project that can be switched off, or shown to members only.
type Feature string

// The features.
const (
	Issues        Feature = "issues"
	MergeRequests Feature = "merge_requests"
	Repository    Feature = "repository"
)

// Rule is a line of the table: who has an ability.
type Rule struct {
	Ability  Ability
	Min      Level          // whoever has this role, or a higher one
	Setting  func(On) Level // in place of Min: what the thing itself asks for
	Public   bool           // whoever sees the thing without a role
	Also     func(Who) bool // whoever this holds for
	Feature  Feature        // nobody while the feature is off
	Writes   bool           // nobody while the thing is archived or waits for its deletion
	Hidden   bool           // who sees the thing and has not the ability is told that there is nothing, and not that he may not
	Unsigned bool           // … or that he is nobody (gaps §1.2), who may not either
}

// table is the policy. The rules that change code or content stop at an archived thing; those that administer it do not,
// or nobody could bring it back.
var table = []Rule{
	{Ability: AdminInstance, Min: admins},
	{Ability: CreateGroup, Min: admins, Also: mayCreateGroups},
	{Ability: ReadInstanceRunner, Min: admins, Also: isSomebody},

	{Ability: ReadGroup, Min: Guest, Public: true, Also: isInside},
	{Ability: ReadGroupMember, Min: Guest, Public: true},
	{Ability: CreateProject, Setting: projectCreation, Writes: true},
	{Ability: CreateSubgroup, Setting: subgroupCreation, Writes: true},
	{Ability: AdminGroup, Min: Owner},
	{Ability: AdminGroupMember, Min: Owner},
	{Ability: ShareGroup, Min: Owner, Hidden: true},
	{Ability: AdminGroupHook, Min: Owner},
	{Ability: AdminGroupToken, Min: Owner},
	{Ability: AdminGroupPushRule, Min: Owner, Hidden: true},
	{Ability: AdminGroupBranch, Min: Owner},
	{Ability: AdminGroupIntegration, Min: Owner},
	{Ability: AdminGroupVariable, Min: Owner},
	{Ability: ReadGroupRunner, Min: Maintainer},
	{Ability: AdminGroupRunner, Min: Owner},
	{Ability: AdminGroupApproval, Min: Owner},
	{Ability: ReadGroupLabel, Min: Guest, Public: true, Also: isMemberInside},
	{Ability: ReadGroupMilestone, Min: Guest, Public: true, Also: isMemberInside},
	{Ability: AdminGroupLabel, Min: Planner, Writes: true},
	{Ability: AdminGroupMilestone, Min: Planner, Writes: true},
	{Ability: AdminGroupLDAP, Min: Owner},
	{Ability: AdminGroupSAML, Min: Owner, Unsigned: true},
	{Ability: TransferGroup, Min: Owner},
	{Ability: DeleteGroup, Min: Owner},
	{Ability: RestoreGroup, Min: Owner},

	{Ability: ReadProject, Min: Guest, Public: true},
	{Ability: ReadProjectMember, Min: Guest, Public: true},
	{Ability: ReadIssue, Min: Guest, Public: true, Feature: Issues},
	{Ability: ReadMergeRequest, Min: Reporter, Public: true, Feature: MergeRequests},
	{Ability: ReadCode, Min: Reporter, Public: true, Feature: Repository},
	{Ability: PushCode, Min: Developer, Feature: Repository, Writes: true},
	{Ability: AdminProject, Min: Maintainer},
	{Ability: AdminProjectMember, Min: Maintainer},
	{Ability: AdminHook, Min: Maintainer},
	{Ability: AdminProjectToken, Min: Maintainer},
	{Ability: AdminPushRule, Min: Maintainer},
	{Ability: ReadProtectedRef, Min: Developer}, // whoever may be kept from pushing: the levels name users
	{Ability: AdminProtectedRef, Min: Maintainer},
	{Ability: AdminIntegration, Min: Maintainer},
	{Ability: AdminVariable, Min: Maintainer},
	{Ability: AdminDeployKey, Min: Maintainer},
	{Ability: AdminRunner, Min: Maintainer},
	{Ability: ReadApproval, Min: Developer},
	{Ability: AdminApproval, Min: Maintainer},
	{Ability: AdminLabel, Min: Planner, Writes: true},
	{Ability: AdminMilestone, Min: Planner, Writes: true},
	{Ability: ReadAlert, Min: Developer},
	{Ability: AdminAlerts, Min: Maintainer},
	{Ability: AdminErrorTracking, Min: Maintainer},
	{Ability: AdminMirror, Min: Maintainer, Unsigned: true},
	{Ability: ReadTerraformState, Min: Developer},
	{Ability: AdminTerraformState, Min: Maintainer},
	{Ability: RenameProject, Min: Owner},
	{Ability: ChangeVisibility, Min: Owner},
	{Ability: ArchiveProject, Min: Owner},
	{Ability: TransferProject, Min: Owner},
	{Ability: DeleteProject, Min: Owner},
	{Ability: RestoreProject, Min: Owner},
}

var rules = byAbility(table)

func byAbility(table []Rule) map[Ability]Rule {
	m := make(map[Ability]Rule, len(table))
	for _, r := range table {
		m[r.Ability] = r
	}
	return m
}

// RuleOf is the line of an ability; one that the table does not know has none, and is nobody's.
func RuleOf(a Ability) Rule { return rules[a] }

// Table returns the rules in the order they are written in.
func Table() []Rule { return slices.Clone(table) }

func mayCreateGroups(w Who) bool { return w.CreateGroup && w.ID != 0 && !w.External }

func isSomebody(w Who) bool { return w.ID != 0 }

// isInside lets a member of one project see the group around it. So it does somebody with minimal access see the group that
// gave it, and nothing in it: the specification is silent on them (spec 2 §2.1 has no more than the number), they are on its
// roster, and its lists show it to them as to every member.
func isInside(w Who) bool { return w.Inside > NoAccess }

// isMemberInside lets a member of one project read what the group around it has for that project's work: he meets it there.
func isMemberInside(w Who) bool { return w.Inside >= Guest }

// creators is who may create, by the word of the group's setting (gaps §3.1). A word that is none of these lets nobody in.
var creators = map[string]Level{
	"noone":         nobody,
	"administrator": admins,
	"owner":         Owner,
	"maintainer":    Maintainer,
	"developer":     Developer,
}

func projectCreation(on On) Level  { return creator(on.ProjectCreation, Developer) }
func subgroupCreation(on On) Level { return creator(on.SubgroupCreation, Maintainer) }

func creator(setting string, standard Level) Level {
	if setting == "" {
		return standard
	}
	if l, ok := creators[setting]; ok {
		return l
	}
	return nobody
}
