package provider

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"hew/schema/catalogue"
)

// groupSettings are the settings that a creation takes (gaps §3.1).
func groupSettings() []Attr {
	return []Attr{
		String("description", "A description of the group.", MaxLength(500), Default("")),
		String("visibility", "Who can see the group: private (members), internal (signed-in users) or public. "+
			"Subgroups and projects cannot be more visible.",
			OneOf("private", "internal", "public"), Default("private"), opensToViewers),
		Bool("share_with_group_lock", "Whether projects in the group cannot be shared with other groups.",
			Default(false),
			OpensIf(false)),
		Bool("require_two_factor_authentication", "Whether members must use two-factor authentication.", Default(false),
			OpensIf(false)),
		Number("two_factor_grace_period", "The hours until two-factor authentication is enforced.",
			Between(0, Unbounded),
			Default(48)),
		String("project_creation_level",
			"The minimum role that can create projects in the group: noone, owner, maintainer, developer or "+
				"administrator.",
			OneOf("noone", "owner", "maintainer", "developer", "administrator"), Default("developer"),
			OpensAlong("noone", "administrator", "owner", "maintainer", "developer")),
		String("subgroup_creation_level", "The minimum role that can create subgroups: owner or maintainer.",
			OneOf("owner", "maintainer"), Default("maintainer"), OpensAlong("owner", "maintainer")),
		Bool("auto_devops_enabled",
			"Whether projects in the group use Auto DevOps. If it was never set, the parent group or the host decides.",
			NullInherits),
		Bool("emails_enabled", "Whether e-mail notifications are sent.", Default(true)),
		Bool("emails_disabled",
			"Whether e-mail notifications are not sent. Deprecated on newer hosts: use emails_enabled.",
			SupersededBy("emails_enabled")),
		Bool("mentions_disabled", "Whether the group cannot be mentioned.", Default(false)),
		Bool("lfs_enabled", "Whether projects in the group may use Git LFS.", Default(true)),
		Bool("request_access_enabled", "Whether users may request access.", Default(true)),
		Bool("show_diff_preview_in_email", "Whether e-mails about changes show the changed lines.", Default(true)),
		Bool("membership_lock", "Whether projects in the group cannot have members of their own.", Default(false),
			Detail,
			OpensIf(false)),
		String("default_branch", "The default branch of new projects. Empty uses the host's default.", Default(""),
			Check(checkBranchName)),
		Number("default_branch_protection",
			"The protection of default branches of new projects: 0 none, 1 partial, 2 full, 3 against "+
				"pushes, 4 full after the first push. Deprecated on newer hosts: use "+
				"default_branch_protection_defaults.",
			Between(0, 4), Default(2), SupersededBy("default_branch_protection_defaults"), opensByProtection),
		Object("default_branch_protection_defaults", "The protection of default branches of new projects, in detail. "+
			"All fields are set together; allowed_to_push and allowed_to_merge are lists of access levels.",
			branchProtection(), Norm(nil), Usual(fullProtection()), OpensUnprotected),
		String("shared_runners_setting", "Whether instance runners serve the group: "+
			"enabled, disabled_and_overridable or disabled_and_unoverridable.",
			OneOf("enabled", "disabled_and_overridable", "disabled_and_unoverridable"),
			Norm(normSharedRunners, "`disabled_with_override` is the older name of `disabled_and_overridable`."),
			Default("enabled")),
		String("enabled_git_access_protocol", "The protocols that repositories are accessible by: ssh, http or all.",
			OneOf("ssh", "http", "all"), Norm(normProtocol, "Empty equals all."), Default("all"), Detail),
		String("wiki_access_level", "The access level of the group wiki: disabled, private (members) or enabled.",
			OneOf("disabled", "private", "enabled"), Default("enabled"), opensFeature),
		Number("shared_runners_minutes_limit",
			"The minutes a month on instance runners, where 0 means no limit. Without it, the host decides. "+
				"Requires an administrator.",
			Between(0, Unbounded), Detail),
		Number("extra_shared_runners_minutes_limit",
			"Additional minutes on instance runners, beyond the monthly ones. Requires an administrator.",
			Between(0, Unbounded), Detail),
		Number("organization_id", "The id of the organization that a new group belongs to.", CreateOnly,
			Between(1, Unbounded)),
		String("ldap_cn", "The LDAP group that members come from. Deprecated: use group_ldap_link."),
		AccessLevel("ldap_access", "The access level of members from LDAP. Deprecated: use group_ldap_link.",
			OpensRising),
	}
}

// groupLateSettings are the settings that a creation ignores.
func groupLateSettings() []Attr {
	return withOptions(SentAfterCreate, Detail)(
		Bool("prevent_sharing_groups_outside_hierarchy",
			"Whether subgroups and projects cannot be shared with groups outside this one.", Default(false),
			OpensIf(false)),
		Bool("prevent_forking_outside_group", "Whether projects can be forked only within the group.", Default(false),
			OpensIf(false)),
		Bool("service_access_tokens_expiration_enforced", "Whether tokens of service accounts must expire.",
			Default(true),
			OpensIf(false)),
		Bool("lock_math_rendering_limits_enabled",
			"Whether subgroups and projects cannot change math_rendering_limits_enabled.", Default(false)),
		Bool("math_rendering_limits_enabled", "Whether the rendering of formulas is limited.", Default(false)),
		Bool("duo_features_enabled", "Whether AI features are on.", Default(false)),
		Bool("lock_duo_features_enabled", "Whether subgroups and projects cannot change duo_features_enabled.",
			Default(false)),
		Bool("only_allow_merge_if_pipeline_succeeds", "Whether merging requires a successful pipeline.", Default(false),
			OpensIf(false)),
		Bool("allow_merge_on_skipped_pipeline", "Whether a skipped pipeline counts as successful.", Default(false),
			OpensIf(true)),
		Bool("only_allow_merge_if_all_discussions_are_resolved",
			"Whether merging requires that all threads are resolved.",
			Default(false), OpensIf(false)),
		Number("file_template_project_id", "The id of the project with the file templates.", Between(1, Unbounded)),
		Number("max_artifacts_size",
			"The maximum size of a job's artifacts, in megabytes. Without it, the host decides.",
			Between(1, Unbounded)),
		String("ip_restriction_ranges",
			"The IP ranges that may access the group, separated by commas. Empty allows all.",
			Unordered, Default(""), OpensAllowing),
		String("allowed_email_domains_list",
			"The e-mail domains that members may have, separated by commas. Empty allows all.",
			Unordered, Default(""), OpensAllowing),
		Number("unique_project_download_limit",
			"The number of projects a user may download within the interval before being banned. 0 means no limit.",
			Between(0, 10000), Default(0), OpensRaised),
		Number("unique_project_download_limit_interval_in_seconds", "The interval of the download limit, in seconds.",
			Between(0, 864000), Default(0)),
		StringSet("unique_project_download_limit_allowlist", "The usernames that are exempt from the download limit.",
			Default(cty.SetValEmpty(cty.String)), OpensGrowing),
		Typed(cty.Set(cty.Number), "unique_project_download_limit_alertlist",
			"The ids of the users who are notified when somebody exceeds the download limit.",
			Default(cty.SetValEmpty(cty.Number))),
		Bool("auto_ban_user_on_excessive_projects_download",
			"Whether users who exceed the download limit are banned from the group.", Default(false), OpensIf(false)),
	)
}

func branchProtection() map[string]cty.Type {
	return map[string]cty.Type{
		"allowed_to_push":              accessLevels(),
		"allowed_to_merge":             accessLevels(),
		"allow_force_push":             cty.Bool,
		"code_owner_approval_required": cty.Bool,
		"developer_can_initial_push":   cty.Bool,
	}
}

// fullProtection is the equivalent of default_branch_protection = 2.
func fullProtection() cty.Value {
	return cty.ObjectVal(map[string]cty.Value{
		"allowed_to_push":              onlyMaintainers(),
		"allowed_to_merge":             onlyMaintainers(),
		"allow_force_push":             cty.False,
		"code_owner_approval_required": cty.False,
		"developer_can_initial_push":   cty.False,
	})
}

func onlyMaintainers() cty.Value {
	return cty.ListVal([]cty.Value{
		cty.ObjectVal(map[string]cty.Value{"access_level": cty.NumberIntVal(40)}),
	})
}

// accessLevels is the type of the levels that a protection allows.
func accessLevels() cty.Type {
	return cty.List(cty.Object(map[string]cty.Type{"access_level": cty.Number}))
}

// normSharedRunners replaces disabled_with_override, the former name of a value.
var normSharedRunners = normString(func(s string) string {
	if s == "disabled_with_override" {
		return "disabled_and_overridable"
	}
	return s
})

// normProtocol treats "" as "all".
var normProtocol = normString(func(s string) string {
	if s == "" {
		return "all"
	}
	return s
})

// checkBranchName accepts a valid name of a git branch, or "".
func checkBranchName(v cty.Value) error {
	if s := v.AsString(); s != "" && !catalogue.IsBranchName(s) {
		return fmt.Errorf("%q is not a valid branch name; git allows no spaces, no .. and none of ~^:?*[\\, and no "+
			"part may begin with a dot or end in .lock", s)
	}
	return nil
}
