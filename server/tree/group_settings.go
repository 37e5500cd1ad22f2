package tree

import (
	"encoding/json"

	"hew/server/setting"
)

// GroupSettings are the settings of a group that no query filters by (gaps §3.1). They are stored
// in one column, with the JSON names of the API. The three parts differ in who sees them.
type GroupSettings struct {
	GroupFlags
	GroupDetails
	GroupLimits
}

// GroupFlags are in every view of a group.
type GroupFlags struct {
	ShareWithGroupLock              bool                     `json:"share_with_group_lock"`
	RequireTwoFactorAuthentication  bool                     `json:"require_two_factor_authentication"`
	TwoFactorGracePeriod            int                      `json:"two_factor_grace_period"` // hours
	ProjectCreationLevel            string                   `json:"project_creation_level"`
	SubgroupCreationLevel           string                   `json:"subgroup_creation_level"`
	AutoDevopsEnabled               *bool                    `json:"auto_devops_enabled"`
	EmailsEnabled                   bool                     `json:"emails_enabled"`
	MentionsDisabled                *bool                    `json:"mentions_disabled"`
	LFSEnabled                      bool                     `json:"lfs_enabled"`
	RequestAccessEnabled            bool                     `json:"request_access_enabled"`
	ShowDiffPreviewInEmail          bool                     `json:"show_diff_preview_in_email"`
	DefaultBranch                   *string                  `json:"default_branch"`
	DefaultBranchProtection         int                      `json:"default_branch_protection"`
	DefaultBranchProtectionDefaults setting.BranchProtection `json:"default_branch_protection_defaults"`
	SharedRunnersSetting            string                   `json:"shared_runners_setting"`
	WikiAccessLevel                 string                   `json:"wiki_access_level"`
	RepositoryStorage               string                   `json:"repository_storage"`
	MathRenderingLimitsEnabled      bool                     `json:"math_rendering_limits_enabled"`
	LockMathRenderingLimitsEnabled  bool                     `json:"lock_math_rendering_limits_enabled"`
	DuoFeaturesEnabled              bool                     `json:"duo_features_enabled"`
	LockDuoFeaturesEnabled          bool                     `json:"lock_duo_features_enabled"`
	FileTemplateProjectID           *int64                   `json:"file_template_project_id"`
	LDAPCN                          *string                  `json:"ldap_cn"`
	LDAPAccess                      *int                     `json:"ldap_access"`
}

// GroupDetails are in the view of a single group.
type GroupDetails struct {
	MembershipLock                       bool    `json:"membership_lock"`
	EnabledGitAccessProtocol             *string `json:"enabled_git_access_protocol"`
	PreventSharingGroupsOutsideHierarchy bool    `json:"prevent_sharing_groups_outside_hierarchy"`
	PreventForkingOutsideGroup           bool    `json:"prevent_forking_outside_group"`
	OnlyAllowMergeIfPipelineSucceeds     bool    `json:"only_allow_merge_if_pipeline_succeeds"`
	AllowMergeOnSkippedPipeline          bool    `json:"allow_merge_on_skipped_pipeline"`
	OnlyAllowMergeIfDiscussionsResolved  bool    `json:"only_allow_merge_if_all_discussions_are_resolved"`
}

// GroupLimits are in the view that the owners of a group have of it.
type GroupLimits struct {
	ServiceTokensExpirationEnforced        bool     `json:"service_access_tokens_expiration_enforced"`
	SharedRunnersMinutesLimit              *int     `json:"shared_runners_minutes_limit"`
	ExtraSharedRunnersMinutesLimit         *int     `json:"extra_shared_runners_minutes_limit"`
	MaxArtifactsSize                       *int     `json:"max_artifacts_size"` // MB
	IPRestrictionRanges                    *string  `json:"ip_restriction_ranges"`
	AllowedEmailDomainsList                *string  `json:"allowed_email_domains_list"`
	UniqueProjectDownloadLimit             int      `json:"unique_project_download_limit"`
	UniqueProjectDownloadLimitInterval     int      `json:"unique_project_download_limit_interval_in_seconds"`
	UniqueProjectDownloadLimitAllowlist    []string `json:"unique_project_download_limit_allowlist"`
	UniqueProjectDownloadLimitAlertlist    []int64  `json:"unique_project_download_limit_alertlist"`
	AutoBanUserOnExcessiveProjectsDownload bool     `json:"auto_ban_user_on_excessive_projects_download"`
}

// NewGroupSettings returns the defaults of the public service.
func NewGroupSettings() GroupSettings {
	var g GroupSettings
	g.TwoFactorGracePeriod, g.ProjectCreationLevel, g.SubgroupCreationLevel = 48, "developer", "maintainer"
	g.EmailsEnabled, g.LFSEnabled, g.RequestAccessEnabled, g.ShowDiffPreviewInEmail = true, true, true, true
	g.DefaultBranchProtection, g.DefaultBranchProtectionDefaults = 2, setting.ProtectionOf(2)
	g.SharedRunnersSetting, g.WikiAccessLevel, g.RepositoryStorage = "enabled", "enabled", "default"
	g.ServiceTokensExpirationEnforced = true
	g.UniqueProjectDownloadLimitAllowlist, g.UniqueProjectDownloadLimitAlertlist = []string{}, []int64{}
	return g
}

// ScanBytes reads stored settings over the defaults, since a row that is older than a setting lacks
// it. pgx calls it without checking the JSON first, as it would for UnmarshalJSON.
func (g *GroupSettings) ScanBytes(text []byte) error {
	*g = NewGroupSettings()
	return json.Unmarshal(text, g)
}
