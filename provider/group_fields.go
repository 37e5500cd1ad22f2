package provider

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"hew/schema/catalogue"
)

// groupSettings can be stated from the start (gaps §3.1).
var groupSettings = []Attr{
	String("description", "What the group is for.", MaxLength(500), Default("")),
	String("visibility", "Who may see it: private (members), internal (everyone signed in) or public. "+
		"No subgroup or project can be more visible.",
		OneOf("private", "internal", "public"), Default("private")),
	Bool("share_with_group_lock", "Projects here cannot be shared with other groups.", Default(false)),
	Bool("require_two_factor_authentication", "Members must use two-factor authentication.", Default(false)),
	Number("two_factor_grace_period", "Hours until two-factor authentication is enforced.", Between(0, Unbounded), Default(48)),
	String("project_creation_level", "The role that may create projects here: noone, owner, maintainer, developer or administrator.",
		OneOf("noone", "owner", "maintainer", "developer", "administrator"), Default("developer")),
	String("subgroup_creation_level", "The role that may create subgroups here: owner or maintainer.",
		OneOf("owner", "maintainer"), Default("maintainer")),
	Bool("auto_devops_enabled", "Projects here use Auto DevOps. Where it was never set, the parent group or the host decides.",
		NullInherits),
	Bool("emails_enabled", "E-mail notifications are sent.", Default(true)),
	Bool("emails_disabled", "No e-mail notifications are sent. Deprecated on newer hosts: use emails_enabled.", SupersededBy("emails_enabled")),
	Bool("mentions_disabled", "The group cannot be mentioned as a whole.", Default(false)),
	Bool("lfs_enabled", "Projects here may use Git LFS.", Default(true)),
	Bool("request_access_enabled", "People may ask to become members.", Default(true)),
	Bool("show_diff_preview_in_email", "E-mails about changes show the changed lines.", Default(true)),
	Bool("membership_lock", "Projects here cannot have members of their own.", Default(false), Detail),
	String("default_branch", "The name of the default branch of new projects; empty takes the host's.", Default(""), Check(branchName)),
	Number("default_branch_protection", "How default branches of new projects are protected: 0 not, 1 partially, 2 fully, 3 against "+
		"pushes, 4 fully after the first push. Deprecated on newer hosts: use default_branch_protection_defaults.",
		Between(0, 4), Default(2), SupersededBy("default_branch_protection_defaults")),
	Object("default_branch_protection_defaults", "How default branches of new projects are protected, in detail. "+
		"All fields are stated together; who may push and merge are lists of access levels.",
		branchProtection, Norm(nil), Usual(fullProtection)),
	String("shared_runners_setting", "Whether the host's shared runners serve the group: "+
		"enabled, disabled_and_overridable or disabled_and_unoverridable.",
		OneOf("enabled", "disabled_and_overridable", "disabled_and_unoverridable"),
		Norm(sharedRunners, "On older hosts the second is called `disabled_with_override`, which is the same."), Default("enabled")),
	String("enabled_git_access_protocol", "How repositories can be reached: ssh, http or all.",
		OneOf("ssh", "http", "all"), Norm(allProtocols, "Empty is all."), Default("all"), Detail),
	String("wiki_access_level", "Who may use the group's wiki: disabled, private (members) or enabled.",
		OneOf("disabled", "private", "enabled"), Default("enabled")),
	Number("shared_runners_minutes_limit", "Minutes a month on shared runners; 0 is no limit. Without it the host decides. "+
		"Takes an administrator.",
		Between(0, Unbounded), Detail),
	Number("extra_shared_runners_minutes_limit", "Further minutes on shared runners, beyond those of each month. Takes an administrator.",
		Between(0, Unbounded), Detail),
	Number("organization_id", "The organization that a new group belongs to.", CreateOnly, Between(1, Unbounded)),
	String("ldap_cn", "The LDAP group to take members from. Deprecated: LDAP links replace it."),
	AccessLevel("ldap_access", "The access level of members taken from LDAP. Deprecated with ldap_cn."),
}

// groupLateSettings are ignored when a group is created.
var groupLateSettings = withOptions(SentAfterCreate, Detail)(
	Bool("prevent_sharing_groups_outside_hierarchy", "Groups here cannot be shared with groups elsewhere.", Default(false)),
	Bool("prevent_forking_outside_group", "Projects here can be forked only within the group.", Default(false)),
	Bool("service_access_tokens_expiration_enforced", "Tokens of service accounts must expire.", Default(true)),
	Bool("lock_math_rendering_limits_enabled", "Subgroups and projects cannot lift the limits on rendering of formulas.", Default(false)),
	Bool("math_rendering_limits_enabled", "The rendering of formulas is limited.", Default(false)),
	Bool("duo_features_enabled", "AI features are on.", Default(false)),
	Bool("lock_duo_features_enabled", "Subgroups and projects cannot decide about AI features.", Default(false)),
	Bool("only_allow_merge_if_pipeline_succeeds", "Merge requests here are merged only after a successful pipeline.", Default(false)),
	Bool("allow_merge_on_skipped_pipeline", "A skipped pipeline counts as a successful one.", Default(false)),
	Bool("only_allow_merge_if_all_discussions_are_resolved", "Merge requests here are merged only once all threads are resolved.",
		Default(false)),
	Number("file_template_project_id", "The id of the project that file templates are taken from.", Between(1, Unbounded)),
	Number("max_artifacts_size", "Megabytes that the artifacts of a job may take. Without it the host decides.", Between(1, Unbounded)),
	String("ip_restriction_ranges", "Address ranges that the group can be reached from, separated by commas; empty is everywhere.",
		Unordered, Default("")),
	String("allowed_email_domains_list", "Domains of e-mail addresses that members may have, separated by commas; empty is all.",
		Unordered, Default("")),
	Number("unique_project_download_limit", "Projects that one may download within the interval before being banned; 0 is no limit.",
		Between(0, 10000), Default(0)),
	Number("unique_project_download_limit_interval_in_seconds", "The interval of the download limit, in seconds.",
		Between(0, 864000), Default(0)),
	StringSet("unique_project_download_limit_allowlist", "User names that the download limit does not touch.",
		Default(cty.SetValEmpty(cty.String))),
	Typed(cty.Set(cty.Number), "unique_project_download_limit_alertlist",
		"Ids of the users who are told when the download limit is passed.",
		Default(cty.SetValEmpty(cty.Number))),
	Bool("auto_ban_user_on_excessive_projects_download", "Whoever passes the download limit is banned from the group.", Default(false)),
)

var branchProtection = map[string]cty.Type{
	"allowed_to_push":              accessLevels,
	"allowed_to_merge":             accessLevels,
	"allow_force_push":             cty.Bool,
	"code_owner_approval_required": cty.Bool,
	"developer_can_initial_push":   cty.Bool,
}

// fullProtection is what default_branch_protection = 2 stands for.
var fullProtection = cty.ObjectVal(map[string]cty.Value{
	"allowed_to_push":              onlyMaintainers,
	"allowed_to_merge":             onlyMaintainers,
	"allow_force_push":             cty.False,
	"code_owner_approval_required": cty.False,
	"developer_can_initial_push":   cty.False,
})

var onlyMaintainers = cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"access_level": cty.NumberIntVal(40)})})

// accessLevels are the roles that a protection lets in.
var accessLevels = cty.List(cty.Object(map[string]cty.Type{"access_level": cty.Number}))

// sharedRunners: older hosts have another word for the second setting.
var sharedRunners = texts(func(s string) string {
	if s == "disabled_with_override" {
		return "disabled_and_overridable"
	}
	return s
})

// allProtocols: none chosen is all.
var allProtocols = texts(func(s string) string {
	if s == "" {
		return "all"
	}
	return s
})

// branchName accepts what git takes for the name of a branch; empty is none.
func branchName(v cty.Value) error {
	if s := v.AsString(); s != "" && !catalogue.IsBranchName(s) {
		return fmt.Errorf("%q is no name of a branch: git takes no spaces, no .. and none of ~^:?*[\\, and no part may begin with a dot or end in .lock", s)
	}
	return nil
}
