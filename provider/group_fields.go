package provider

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"hew/schema/catalogue"
)

// groupSettings can be stated from the start (gaps §3.1).
var groupSettings = []attr{
	text("description", "What the group is for.", atMost(500), def("")),
	text("visibility", "Who may see it: private (members), internal (everyone signed in) or public. "+
		"No subgroup or project can be more visible.",
		oneOf("private", "internal", "public"), def("private")),
	boolean("share_with_group_lock", "Projects here cannot be shared with other groups.", def(false)),
	boolean("require_two_factor_authentication", "Members must use two-factor authentication.", def(false)),
	number("two_factor_grace_period", "Hours until two-factor authentication is enforced.", between(0, many), def(48)),
	text("project_creation_level", "The role that may create projects here: noone, owner, maintainer, developer or administrator.",
		oneOf("noone", "owner", "maintainer", "developer", "administrator"), def("developer")),
	text("subgroup_creation_level", "The role that may create subgroups here: owner or maintainer.",
		oneOf("owner", "maintainer"), def("maintainer")),
	boolean("auto_devops_enabled", "Projects here use Auto DevOps. Where it was never set, the parent group or the host decides.",
		inherits),
	boolean("emails_enabled", "E-mail notifications are sent.", def(true)),
	boolean("emails_disabled", "No e-mail notifications are sent. Deprecated on newer hosts: use emails_enabled.", instead("emails_enabled")),
	boolean("mentions_disabled", "The group cannot be mentioned as a whole.", def(false)),
	boolean("lfs_enabled", "Projects here may use Git LFS.", def(true)),
	boolean("request_access_enabled", "People may ask to become members.", def(true)),
	boolean("show_diff_preview_in_email", "E-mails about changes show the changed lines.", def(true)),
	boolean("membership_lock", "Projects here cannot have members of their own.", def(false), detail),
	text("default_branch", "The name of the default branch of new projects; empty takes the host's.", def(""), check(branchName)),
	number("default_branch_protection", "How default branches of new projects are protected: 0 not, 1 partially, 2 fully, 3 against "+
		"pushes, 4 fully after the first push. Deprecated on newer hosts: use default_branch_protection_defaults.",
		between(0, 4), def(2), instead("default_branch_protection_defaults")),
	object("default_branch_protection_defaults", "How default branches of new projects are protected, in detail. "+
		"All fields are stated together; who may push and merge are lists of access levels.",
		branchProtection, norm(nil), usual(fullProtection)),
	text("shared_runners_setting", "Whether the host's shared runners serve the group: "+
		"enabled, disabled_and_overridable or disabled_and_unoverridable.",
		oneOf("enabled", "disabled_and_overridable", "disabled_and_unoverridable"),
		norm(sharedRunners, "On older hosts the second is called `disabled_with_override`, which is the same."), def("enabled")),
	text("enabled_git_access_protocol", "How repositories can be reached: ssh, http or all.",
		oneOf("ssh", "http", "all"), norm(allProtocols, "Empty is all."), def("all"), detail),
	text("wiki_access_level", "Who may use the group's wiki: disabled, private (members) or enabled.",
		oneOf("disabled", "private", "enabled"), def("enabled")),
	number("shared_runners_minutes_limit", "Minutes a month on shared runners; 0 is no limit. Without it the host decides. "+
		"Takes an administrator.",
		between(0, many), detail),
	number("extra_shared_runners_minutes_limit", "Further minutes on shared runners, beyond those of each month. Takes an administrator.",
		between(0, many), detail),
	number("organization_id", "The organization that a new group belongs to.", once, between(1, many)),
	text("ldap_cn", "The LDAP group to take members from. Deprecated: LDAP links replace it."),
	level("ldap_access", "The access level of members taken from LDAP. Deprecated with ldap_cn."),
}

// groupLateSettings are ignored when a group is created.
var groupLateSettings = all(late, detail)(
	boolean("prevent_sharing_groups_outside_hierarchy", "Groups here cannot be shared with groups elsewhere.", def(false)),
	boolean("prevent_forking_outside_group", "Projects here can be forked only within the group.", def(false)),
	boolean("service_access_tokens_expiration_enforced", "Tokens of service accounts must expire.", def(true)),
	boolean("lock_math_rendering_limits_enabled", "Subgroups and projects cannot lift the limits on rendering of formulas.", def(false)),
	boolean("math_rendering_limits_enabled", "The rendering of formulas is limited.", def(false)),
	boolean("duo_features_enabled", "AI features are on.", def(false)),
	boolean("lock_duo_features_enabled", "Subgroups and projects cannot decide about AI features.", def(false)),
	boolean("only_allow_merge_if_pipeline_succeeds", "Merge requests here are merged only after a successful pipeline.", def(false)),
	boolean("allow_merge_on_skipped_pipeline", "A skipped pipeline counts as a successful one.", def(false)),
	boolean("only_allow_merge_if_all_discussions_are_resolved", "Merge requests here are merged only once all threads are resolved.",
		def(false)),
	number("file_template_project_id", "The id of the project that file templates are taken from.", between(1, many)),
	number("max_artifacts_size", "Megabytes that the artifacts of a job may take. Without it the host decides.", between(1, many)),
	text("ip_restriction_ranges", "Address ranges that the group can be reached from, separated by commas; empty is everywhere.",
		unordered, def("")),
	text("allowed_email_domains_list", "Domains of e-mail addresses that members may have, separated by commas; empty is all.",
		unordered, def("")),
	number("unique_project_download_limit", "Projects that one may download within the interval before being banned; 0 is no limit.",
		between(0, 10000), def(0)),
	number("unique_project_download_limit_interval_in_seconds", "The interval of the download limit, in seconds.",
		between(0, 864000), def(0)),
	words("unique_project_download_limit_allowlist", "User names that the download limit does not touch.",
		def(cty.SetValEmpty(cty.String))),
	typed(cty.Set(cty.Number), "unique_project_download_limit_alertlist",
		"Ids of the users who are told when the download limit is passed.",
		def(cty.SetValEmpty(cty.Number))),
	boolean("auto_ban_user_on_excessive_projects_download", "Whoever passes the download limit is banned from the group.", def(false)),
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
