package store

import (
	"encoding/json"
	"reflect"
)

// GroupSettings are the settings of a group that no query asks for (gaps §3.1). They are one column, typed here; the
// JSON names are those of the wire. Its three parts are who is told about them.
type GroupSettings struct {
	GroupFlags
	GroupDetails
	GroupLimits
}

// GroupFlags are in every view of a group.
type GroupFlags struct {
	ShareWithGroupLock              bool             `json:"share_with_group_lock"`
	RequireTwoFactorAuthentication  bool             `json:"require_two_factor_authentication"`
	TwoFactorGracePeriod            int              `json:"two_factor_grace_period"` // hours
	ProjectCreationLevel            string           `json:"project_creation_level"`
	SubgroupCreationLevel           string           `json:"subgroup_creation_level"`
	AutoDevopsEnabled               *bool            `json:"auto_devops_enabled"`
	EmailsEnabled                   bool             `json:"emails_enabled"`
	MentionsDisabled                *bool            `json:"mentions_disabled"`
	LFSEnabled                      bool             `json:"lfs_enabled"`
	RequestAccessEnabled            bool             `json:"request_access_enabled"`
	ShowDiffPreviewInEmail          bool             `json:"show_diff_preview_in_email"`
	DefaultBranch                   *string          `json:"default_branch"`
	DefaultBranchProtection         int              `json:"default_branch_protection"`
	DefaultBranchProtectionDefaults BranchProtection `json:"default_branch_protection_defaults"`
	SharedRunnersSetting            string           `json:"shared_runners_setting"`
	WikiAccessLevel                 string           `json:"wiki_access_level"`
	RepositoryStorage               string           `json:"repository_storage"`
	MathRenderingLimitsEnabled      bool             `json:"math_rendering_limits_enabled"`
	LockMathRenderingLimitsEnabled  bool             `json:"lock_math_rendering_limits_enabled"`
	DuoFeaturesEnabled              bool             `json:"duo_features_enabled"`
	LockDuoFeaturesEnabled          bool             `json:"lock_duo_features_enabled"`
	FileTemplateProjectID           *int64           `json:"file_template_project_id"`
	LDAPCN                          *string          `json:"ldap_cn"`
	LDAPAccess                      *int             `json:"ldap_access"`
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

// BranchProtection is what a new project's default branch starts with.
type BranchProtection struct {
	AllowedToPush             []AccessLevel `json:"allowed_to_push"`
	AllowedToMerge            []AccessLevel `json:"allowed_to_merge"`
	AllowForcePush            bool          `json:"allow_force_push"`
	CodeOwnerApprovalRequired bool          `json:"code_owner_approval_required"`
	DeveloperCanInitialPush   bool          `json:"developer_can_initial_push"`
}

// AccessLevel is a role as the protections spell it.
type AccessLevel struct {
	AccessLevel int `json:"access_level"`
}

// ProtectionOf is the protection that a default_branch_protection level stands for: 0 none, 1 partial, 2 full, 3
// against pushes, 4 full after the first push (gaps §3.1).
func ProtectionOf(level int) BranchProtection {
	const developer, maintainer = 30, 40
	p := BranchProtection{AllowedToPush: []AccessLevel{{maintainer}}, AllowedToMerge: []AccessLevel{{maintainer}}}
	switch level {
	case 0:
		return BranchProtection{AllowedToPush: []AccessLevel{{developer}}, AllowedToMerge: []AccessLevel{{developer}}, AllowForcePush: true}
	case 1:
		p.AllowedToPush = []AccessLevel{{developer}}
	case 3:
		p.AllowedToMerge = []AccessLevel{{developer}}
	case 4:
		p.DeveloperCanInitialPush = true
	}
	return p
}

// ProtectionLevel is the level that stands for a protection, if one does.
func ProtectionLevel(p BranchProtection) (level int, ok bool) {
	for level := range 5 {
		if reflect.DeepEqual(ProtectionOf(level), p) {
			return level, true
		}
	}
	return 0, false
}

// NewGroupSettings are the defaults of the public service.
func NewGroupSettings() GroupSettings {
	var g GroupSettings
	g.TwoFactorGracePeriod, g.ProjectCreationLevel, g.SubgroupCreationLevel = 48, "developer", "maintainer"
	g.EmailsEnabled, g.LFSEnabled, g.RequestAccessEnabled, g.ShowDiffPreviewInEmail = true, true, true, true
	g.DefaultBranchProtection, g.DefaultBranchProtectionDefaults = 2, ProtectionOf(2)
	g.SharedRunnersSetting, g.WikiAccessLevel, g.RepositoryStorage = "enabled", "enabled", "default"
	g.ServiceTokensExpirationEnforced = true
	g.UniqueProjectDownloadLimitAllowlist, g.UniqueProjectDownloadLimitAlertlist = []string{}, []int64{}
	return g
}

// ScanBytes reads stored settings over the defaults: a row that is older than a setting has its default. It is what pgx
// asks for, and not UnmarshalJSON, before which every text would be checked once more.
func (g *GroupSettings) ScanBytes(text []byte) error {
	*g = NewGroupSettings()
	return json.Unmarshal(text, g)
}
