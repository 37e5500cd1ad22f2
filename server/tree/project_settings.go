package tree

import (
	"encoding/json"
	"reflect"
)

// ProjectSettings are the settings of a project that no query filters by (gaps §4.1). They are
// stored in one column, with the JSON names of the API.
type ProjectSettings struct {
	// The access to each feature: disabled, private or enabled; pages and the package registry also
	// public.
	IssuesAccess           string `json:"issues_access_level"`
	RepositoryAccess       string `json:"repository_access_level"`
	MergeRequestsAccess    string `json:"merge_requests_access_level"`
	ForkingAccess          string `json:"forking_access_level"`
	WikiAccess             string `json:"wiki_access_level"`
	BuildsAccess           string `json:"builds_access_level"`
	SnippetsAccess         string `json:"snippets_access_level"`
	AnalyticsAccess        string `json:"analytics_access_level"`
	ContainerAccess        string `json:"container_registry_access_level"`
	ReleasesAccess         string `json:"releases_access_level"`
	EnvironmentsAccess     string `json:"environments_access_level"`
	FeatureFlagsAccess     string `json:"feature_flags_access_level"`
	InfrastructureAccess   string `json:"infrastructure_access_level"`
	MonitorAccess          string `json:"monitor_access_level"`
	ModelExperimentsAccess string `json:"model_experiments_access_level"`
	ModelRegistryAccess    string `json:"model_registry_access_level"`
	SecurityAccess         string `json:"security_and_compliance_access_level"`
	RequirementsAccess     string `json:"requirements_access_level"`
	PagesAccess            string `json:"pages_access_level"`
	PackageRegistryAccess  string `json:"package_registry_access_level"`

	PackagesEnabled             bool `json:"packages_enabled"`
	LFSEnabled                  bool `json:"lfs_enabled"`
	SharedRunnersEnabled        bool `json:"shared_runners_enabled"`
	GroupRunnersEnabled         bool `json:"group_runners_enabled"`
	RequestAccessEnabled        bool `json:"request_access_enabled"`
	ServiceDeskEnabled          bool `json:"service_desk_enabled"`
	EmailsEnabled               bool `json:"emails_enabled"`
	PrintingMergeRequestLink    bool `json:"printing_merge_request_link_enabled"`
	RemoveSourceBranch          bool `json:"remove_source_branch_after_merge"`
	AutocloseReferencedIssues   bool `json:"autoclose_referenced_issues"`
	EnforceAuthChecksOnUploads  bool `json:"enforce_auth_checks_on_uploads"`
	KeepLatestArtifact          bool `json:"keep_latest_artifact"`
	PublicJobs                  bool `json:"public_jobs"`
	ShowDefaultAwardEmojis      bool `json:"show_default_award_emojis"`
	WarnAboutUnwantedCharacters bool `json:"warn_about_potentially_unwanted_characters"`
	ShowDiffPreviewInEmail      bool `json:"show_diff_preview_in_email"`

	MergeMethod                    string  `json:"merge_method"`
	SquashOption                   string  `json:"squash_option"`
	OnlyMergeIfPipelineSucceeds    bool    `json:"only_allow_merge_if_pipeline_succeeds"`
	AllowMergeOnSkippedPipeline    *bool   `json:"allow_merge_on_skipped_pipeline"`
	OnlyMergeIfDiscussionsResolved bool    `json:"only_allow_merge_if_all_discussions_are_resolved"`
	OnlyMergeIfStatusChecksPassed  bool    `json:"only_allow_merge_if_all_status_checks_passed"`
	ResolveOutdatedDiffDiscussions *bool   `json:"resolve_outdated_diff_discussions"`
	DefaultTargetSelf              bool    `json:"mr_default_target_self"`
	PreventMergeWithoutJiraIssue   bool    `json:"prevent_merge_without_jira_issue"`
	SuggestionCommitMessage        *string `json:"suggestion_commit_message"`
	MergeCommitTemplate            *string `json:"merge_commit_template"`
	SquashCommitTemplate           *string `json:"squash_commit_template"`
	IssueBranchTemplate            *string `json:"issue_branch_template"`
	MergeRequestTitleRegex         *string `json:"merge_request_title_regex"`
	IssuesTemplate                 *string `json:"issues_template"`
	MergeRequestsTemplate          *string `json:"merge_requests_template"`
	MergePipelinesEnabled          bool    `json:"merge_pipelines_enabled"`
	MergeTrainsEnabled             bool    `json:"merge_trains_enabled"`
	MergeTrainsSkipTrainAllowed    bool    `json:"merge_trains_skip_train_allowed"`
	ApprovalsBeforeMerge           int     `json:"approvals_before_merge"`
	FallbackApprovalsRequired      int     `json:"fallback_approvals_required"`
	ExternalAuthorizationLabel     *string `json:"external_authorization_classification_label"`
	AllowPipelineTriggerApproval   bool    `json:"allow_pipeline_trigger_approve_deployment"`
	AutoCancelPendingPipelines     string  `json:"auto_cancel_pending_pipelines"`
	BuildGitStrategy               string  `json:"build_git_strategy"`
	BuildTimeout                   int     `json:"build_timeout"` // seconds
	AutoDevopsEnabled              bool    `json:"auto_devops_enabled"`
	AutoDevopsDeployStrategy       string  `json:"auto_devops_deploy_strategy"`
	ResourceGroupProcessMode       string  `json:"resource_group_default_process_mode"`
	MaxArtifactsSize               *int    `json:"max_artifacts_size"` // MB
	RepositoryStorage              string  `json:"repository_storage"`
	RepositoryObjectFormat         string  `json:"repository_object_format"`
	RestrictUserDefinedVariables   bool    `json:"restrict_user_defined_variables"`
	CIConfigPath                   string  `json:"ci_config_path"`
	CIDefaultGitDepth              *int    `json:"ci_default_git_depth"`
	CIForwardDeploymentEnabled     bool    `json:"ci_forward_deployment_enabled"`
	CIForwardDeploymentRollback    bool    `json:"ci_forward_deployment_rollback_allowed"`
	CIAllowForkPipelines           bool    `json:"ci_allow_fork_pipelines_to_run_in_parent_project"`
	CISeparatedCaches              bool    `json:"ci_separated_caches"`
	CIInboundTokenScope            bool    `json:"ci_inbound_job_token_scope_enabled"`
	CIPushForJobToken              bool    `json:"ci_push_repository_for_job_token_allowed"`
	CIDeletePipelinesInSeconds     *int    `json:"ci_delete_pipelines_in_seconds"`
	CIVariablesMinimumOverrideRole string  `json:"ci_pipeline_variables_minimum_override_role"`
	CIRestrictPipelineCancelRole   string  `json:"ci_restrict_pipeline_cancellation_role"`
	Mirror                         bool    `json:"mirror"`
	MirrorTriggerBuilds            bool    `json:"mirror_trigger_builds"`
	MirrorUserID                   *int64  `json:"mirror_user_id"`
	MirrorBranchRegex              *string `json:"mirror_branch_regex"`
	MirrorOverwritesDiverged       *bool   `json:"mirror_overwrites_diverged_branches"`
	OnlyMirrorProtectedBranches    *bool   `json:"only_mirror_protected_branches"`

	CIIDTokenSubClaimComponents []string         `json:"ci_id_token_sub_claim_components"`
	ContainerExpirationPolicy   ExpirationPolicy `json:"container_expiration_policy"`
}

// NewProjectSettings returns the defaults of the public service.
func NewProjectSettings() ProjectSettings {
	const on = "enabled"
	depth, keep, age := 20, 10, "90d"
	return ProjectSettings{
		IssuesAccess: on, RepositoryAccess: on, MergeRequestsAccess: on, ForkingAccess: on, WikiAccess: on,
		BuildsAccess:   on,
		SnippetsAccess: on, AnalyticsAccess: on, ContainerAccess: on, ReleasesAccess: on, EnvironmentsAccess: on,
		FeatureFlagsAccess: on, InfrastructureAccess: on, MonitorAccess: on, ModelExperimentsAccess: on,
		ModelRegistryAccess: on, SecurityAccess: "private", RequirementsAccess: on, PagesAccess: "private",
		PackageRegistryAccess: on,

		PackagesEnabled: true, LFSEnabled: true, SharedRunnersEnabled: true, GroupRunnersEnabled: true,
		RequestAccessEnabled: true, ServiceDeskEnabled: true, EmailsEnabled: true, PrintingMergeRequestLink: true,
		RemoveSourceBranch: true, AutocloseReferencedIssues: true, EnforceAuthChecksOnUploads: true,
		KeepLatestArtifact: true, PublicJobs: true, ShowDefaultAwardEmojis: true, WarnAboutUnwantedCharacters: true,
		ShowDiffPreviewInEmail: true,

		MergeMethod: "merge", SquashOption: "default_off", AutoCancelPendingPipelines: "enabled",
		BuildGitStrategy: "fetch", BuildTimeout: 3600, AutoDevopsDeployStrategy: "continuous",
		ResourceGroupProcessMode: "unordered", RepositoryStorage: "default", RepositoryObjectFormat: "sha1",
		CIDefaultGitDepth: &depth, CIForwardDeploymentEnabled: true, CIForwardDeploymentRollback: true,
		CIAllowForkPipelines: true, CISeparatedCaches: true, CIInboundTokenScope: true,
		CIVariablesMinimumOverrideRole: "developer",
		CIRestrictPipelineCancelRole:   "developer",
		CIIDTokenSubClaimComponents:    []string{"project_path", "ref_type", "ref"},
		ContainerExpirationPolicy:      ExpirationPolicy{Cadence: "1d", KeepN: &keep, OlderThan: &age},
	}
}

// MarshalJSON writes only what differs from the defaults, which makes a page of projects several
// times faster to read. So the defaults are part of the schema: changing one needs a migration.
func (p ProjectSettings) MarshalJSON() ([]byte, error) {
	set, def := reflect.ValueOf(p), reflect.ValueOf(NewProjectSettings())
	differing := map[string]any{}
	for i := range set.NumField() {
		if value := set.Field(i).Interface(); !reflect.DeepEqual(value, def.Field(i).Interface()) {
			differing[set.Type().Field(i).Tag.Get("json")] = value
		}
	}
	return json.Marshal(differing)
}

// UnmarshalJSON reads stored settings over the defaults.
func (p *ProjectSettings) UnmarshalJSON(text []byte) error {
	type plain ProjectSettings
	q := plain(NewProjectSettings())
	if err := json.Unmarshal(text, &q); err != nil {
		return err
	}
	*p = ProjectSettings(q)
	return nil
}
