package api

import (
	"hew/server/db"
	"hew/server/rest"
	"hew/server/setting"
	"hew/server/tree"
	"hew/server/view"
)

// groupFields are the fields of a group that can be given when it is made and later; each is
// optional (gaps §3.1).
type groupFields struct {
	OrganizationID int64            `param:"organization_id"` // there is one, so it decides nothing
	Visibility     string           `param:"visibility" oneof:"private internal public"`
	Description    rest.Opt[string] `param:"description"`
	view.AvatarParam
	EmailsDisabled rest.Opt[bool]        `param:"emails_disabled"` // deprecated by emails_enabled
	Protection     *view.GroupProtection `param:"default_branch_protection_defaults"`
	groupSettings
}

// groupSettings have the names of their fields in tree.GroupSettings.
type groupSettings struct {
	rest.Into[tree.GroupSettings]
	ShareWithGroupLock             rest.Opt[bool]   `param:"share_with_group_lock"`
	RequireTwoFactorAuthentication rest.Opt[bool]   `param:"require_two_factor_authentication"`
	TwoFactorGracePeriod           rest.Opt[int]    `param:"two_factor_grace_period" min:"0"`
	EmailsEnabled                  rest.Opt[bool]   `param:"emails_enabled"`
	MentionsDisabled               rest.Opt[bool]   `param:"mentions_disabled"`
	MembershipLock                 rest.Opt[bool]   `param:"membership_lock"`
	LFSEnabled                     rest.Opt[bool]   `param:"lfs_enabled"`
	RequestAccessEnabled           rest.Opt[bool]   `param:"request_access_enabled"`
	ShowDiffPreviewInEmail         rest.Opt[bool]   `param:"show_diff_preview_in_email"`
	AutoDevopsEnabled              rest.Opt[bool]   `param:"auto_devops_enabled"`
	ProjectCreationLevel           rest.Opt[string] `param:"project_creation_level" oneof:"noone maintainer developer owner administrator"`
	SubgroupCreationLevel          rest.Opt[string] `param:"subgroup_creation_level" oneof:"owner maintainer"`
	DefaultBranch                  rest.Opt[string] `param:"default_branch"`
	DefaultBranchProtection        rest.Opt[int]    `param:"default_branch_protection" min:"0" max:"4"`
	SharedRunnersSetting           rest.Opt[string] `param:"shared_runners_setting" oneof:"enabled disabled_and_overridable disabled_with_override disabled_and_unoverridable"`
	EnabledGitAccessProtocol       rest.Opt[string] `param:"enabled_git_access_protocol" oneof:"ssh http all"`
	WikiAccessLevel                rest.Opt[string] `param:"wiki_access_level" oneof:"disabled private enabled"`
	LDAPCN                         rest.Opt[string] `param:"ldap_cn"`
	LDAPAccess                     rest.Opt[int]    `param:"ldap_access" oneof:"10 15 20 30 40 50"`
}

// groupQuota are fields that only administrators set; in other hands they are ignored.
type groupQuota struct {
	rest.Into[tree.GroupSettings]
	SharedRunnersMinutesLimit      rest.Opt[int] `param:"shared_runners_minutes_limit" min:"0"`
	ExtraSharedRunnersMinutesLimit rest.Opt[int] `param:"extra_shared_runners_minutes_limit" min:"0"`
}

// groupLateFields are the settings that a new group does not take.
type groupLateFields struct {
	rest.Into[tree.GroupSettings]
	PreventSharingGroupsOutsideHierarchy   rest.Opt[bool]     `param:"prevent_sharing_groups_outside_hierarchy"`
	PreventForkingOutsideGroup             rest.Opt[bool]     `param:"prevent_forking_outside_group"`
	ServiceTokensExpirationEnforced        rest.Opt[bool]     `param:"service_access_tokens_expiration_enforced"`
	LockMathRenderingLimitsEnabled         rest.Opt[bool]     `param:"lock_math_rendering_limits_enabled"`
	MathRenderingLimitsEnabled             rest.Opt[bool]     `param:"math_rendering_limits_enabled"`
	DuoFeaturesEnabled                     rest.Opt[bool]     `param:"duo_features_enabled"`
	LockDuoFeaturesEnabled                 rest.Opt[bool]     `param:"lock_duo_features_enabled"`
	FileTemplateProjectID                  rest.Opt[int64]    `param:"file_template_project_id"`
	MaxArtifactsSize                       rest.Opt[int]      `param:"max_artifacts_size" min:"1"`
	IPRestrictionRanges                    rest.Opt[string]   `param:"ip_restriction_ranges"`
	AllowedEmailDomainsList                rest.Opt[string]   `param:"allowed_email_domains_list"`
	UniqueProjectDownloadLimit             rest.Opt[int]      `param:"unique_project_download_limit" min:"0" max:"10000"`
	UniqueProjectDownloadLimitInterval     rest.Opt[int]      `param:"unique_project_download_limit_interval_in_seconds" min:"0" max:"864000"`
	UniqueProjectDownloadLimitAllowlist    rest.Opt[[]string] `param:"unique_project_download_limit_allowlist"`
	UniqueProjectDownloadLimitAlertlist    rest.Opt[[]int64]  `param:"unique_project_download_limit_alertlist"`
	AutoBanUserOnExcessiveProjectsDownload rest.Opt[bool]     `param:"auto_ban_user_on_excessive_projects_download"`
	OnlyAllowMergeIfPipelineSucceeds       rest.Opt[bool]     `param:"only_allow_merge_if_pipeline_succeeds"`
	AllowMergeOnSkippedPipeline            rest.Opt[bool]     `param:"allow_merge_on_skipped_pipeline"`
	OnlyAllowMergeIfDiscussionsResolved    rest.Opt[bool]     `param:"only_allow_merge_if_all_discussions_are_resolved"`
}

// visibility is the one asked for, nil if none is.
func (in groupFields) visibility() *db.Visibility {
	if in.Visibility == "" {
		return nil
	}
	v := db.ParseVisibility(in.Visibility)
	return &v
}

func (in groupFields) into(g *tree.Group) {
	s := &g.Settings
	in.Description.Into(&g.Description)
	if off, ok := in.EmailsDisabled.Value(); ok {
		s.EmailsEnabled = !off
	}
	rest.Merge(s, in.groupSettings, tree.NewGroupSettings())
	if s.SharedRunnersSetting == "disabled_with_override" { // the older word
		s.SharedRunnersSetting = "disabled_and_overridable"
	}
	if in.DefaultBranchProtection.Given() {
		s.DefaultBranchProtectionDefaults = setting.ProtectionOf(s.DefaultBranchProtection)
	}
	if in.Protection != nil {
		in.Protection.Into(&s.GroupFlags)
	}
}

func (in groupQuota) into(g *tree.Group) { rest.Merge(&g.Settings, in, tree.NewGroupSettings()) }

func (in groupLateFields) into(g *tree.Group) { rest.Merge(&g.Settings, in, tree.NewGroupSettings()) }
