package api

import (
	"strings"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/rest"
	"hew/server/tree"
	"hew/server/view"
)

// projectSettingFields are the settings that new and existing projects take (gaps §4.1). Fields
// have the names of those in tree.ProjectSettings, which a test checks.
type projectSettingFields struct {
	rest.Into[tree.ProjectSettings]
	IssuesAccess           rest.Opt[string] `param:"issues_access_level" oneof:"disabled private enabled"`
	RepositoryAccess       rest.Opt[string] `param:"repository_access_level" oneof:"disabled private enabled"`
	MergeRequestsAccess    rest.Opt[string] `param:"merge_requests_access_level" oneof:"disabled private enabled"`
	ForkingAccess          rest.Opt[string] `param:"forking_access_level" oneof:"disabled private enabled"`
	WikiAccess             rest.Opt[string] `param:"wiki_access_level" oneof:"disabled private enabled"`
	BuildsAccess           rest.Opt[string] `param:"builds_access_level" oneof:"disabled private enabled"`
	SnippetsAccess         rest.Opt[string] `param:"snippets_access_level" oneof:"disabled private enabled"`
	AnalyticsAccess        rest.Opt[string] `param:"analytics_access_level" oneof:"disabled private enabled"`
	ContainerAccess        rest.Opt[string] `param:"container_registry_access_level" oneof:"disabled private enabled"`
	ReleasesAccess         rest.Opt[string] `param:"releases_access_level" oneof:"disabled private enabled"`
	EnvironmentsAccess     rest.Opt[string] `param:"environments_access_level" oneof:"disabled private enabled"`
	FeatureFlagsAccess     rest.Opt[string] `param:"feature_flags_access_level" oneof:"disabled private enabled"`
	InfrastructureAccess   rest.Opt[string] `param:"infrastructure_access_level" oneof:"disabled private enabled"`
	MonitorAccess          rest.Opt[string] `param:"monitor_access_level" oneof:"disabled private enabled"`
	ModelExperimentsAccess rest.Opt[string] `param:"model_experiments_access_level" oneof:"disabled private enabled"`
	ModelRegistryAccess    rest.Opt[string] `param:"model_registry_access_level" oneof:"disabled private enabled"`
	SecurityAccess         rest.Opt[string] `param:"security_and_compliance_access_level" oneof:"disabled private enabled"`
	RequirementsAccess     rest.Opt[string] `param:"requirements_access_level" oneof:"disabled private enabled"`
	PagesAccess            rest.Opt[string] `param:"pages_access_level" oneof:"disabled private enabled public"`
	PackageRegistryAccess  rest.Opt[string] `param:"package_registry_access_level" oneof:"disabled private enabled public"`

	PackagesEnabled             rest.Opt[bool] `param:"packages_enabled"`
	LFSEnabled                  rest.Opt[bool] `param:"lfs_enabled"`
	SharedRunnersEnabled        rest.Opt[bool] `param:"shared_runners_enabled"`
	GroupRunnersEnabled         rest.Opt[bool] `param:"group_runners_enabled"`
	RequestAccessEnabled        rest.Opt[bool] `param:"request_access_enabled"`
	ServiceDeskEnabled          rest.Opt[bool] `param:"service_desk_enabled"`
	EmailsEnabled               rest.Opt[bool] `param:"emails_enabled"`
	PrintingMergeRequestLink    rest.Opt[bool] `param:"printing_merge_request_link_enabled"`
	RemoveSourceBranch          rest.Opt[bool] `param:"remove_source_branch_after_merge"`
	AutocloseReferencedIssues   rest.Opt[bool] `param:"autoclose_referenced_issues"`
	EnforceAuthChecksOnUploads  rest.Opt[bool] `param:"enforce_auth_checks_on_uploads"`
	KeepLatestArtifact          rest.Opt[bool] `param:"keep_latest_artifact"`
	PublicJobs                  rest.Opt[bool] `param:"public_jobs,alias=public_builds"`
	ShowDefaultAwardEmojis      rest.Opt[bool] `param:"show_default_award_emojis"`
	WarnAboutUnwantedCharacters rest.Opt[bool] `param:"warn_about_potentially_unwanted_characters"`
	ShowDiffPreviewInEmail      rest.Opt[bool] `param:"show_diff_preview_in_email"`

	MergeMethod                    rest.Opt[string] `param:"merge_method" oneof:"merge rebase_merge ff"`
	SquashOption                   rest.Opt[string] `param:"squash_option" oneof:"never always default_on default_off"`
	OnlyMergeIfPipelineSucceeds    rest.Opt[bool]   `param:"only_allow_merge_if_pipeline_succeeds"`
	AllowMergeOnSkippedPipeline    rest.Opt[bool]   `param:"allow_merge_on_skipped_pipeline"`
	OnlyMergeIfDiscussionsResolved rest.Opt[bool]   `param:"only_allow_merge_if_all_discussions_are_resolved"`
	OnlyMergeIfStatusChecksPassed  rest.Opt[bool]   `param:"only_allow_merge_if_all_status_checks_passed"`
	ResolveOutdatedDiffDiscussions rest.Opt[bool]   `param:"resolve_outdated_diff_discussions"`
	DefaultTargetSelf              rest.Opt[bool]   `param:"mr_default_target_self"`
	PreventMergeWithoutJiraIssue   rest.Opt[bool]   `param:"prevent_merge_without_jira_issue"`
	SuggestionCommitMessage        rest.Opt[string] `param:"suggestion_commit_message"`
	MergeCommitTemplate            rest.Opt[string] `param:"merge_commit_template"`
	SquashCommitTemplate           rest.Opt[string] `param:"squash_commit_template"`
	IssueBranchTemplate            rest.Opt[string] `param:"issue_branch_template"`
	MergeRequestTitleRegex         rest.Opt[string] `param:"merge_request_title_regex"`
	ApprovalsBeforeMerge           rest.Opt[int]    `param:"approvals_before_merge" min:"0"`
	ExternalAuthorizationLabel     rest.Opt[string] `param:"external_authorization_classification_label"`

	AutoCancelPendingPipelines rest.Opt[string] `param:"auto_cancel_pending_pipelines" oneof:"disabled enabled"`
	BuildGitStrategy           rest.Opt[string] `param:"build_git_strategy" oneof:"fetch clone"`
	BuildTimeout               rest.Opt[int]    `param:"build_timeout"`
	AutoDevopsEnabled          rest.Opt[bool]   `param:"auto_devops_enabled"`
	AutoDevopsDeployStrategy   rest.Opt[string] `param:"auto_devops_deploy_strategy" oneof:"continuous manual timed_incremental"`
	ResourceGroupProcessMode   rest.Opt[string] `param:"resource_group_default_process_mode" oneof:"unordered oldest_first newest_first newest_ready_first"`
	CIConfigPath               rest.Opt[string] `param:"ci_config_path"`
	Mirror                     rest.Opt[bool]   `param:"mirror"`
	MirrorTriggerBuilds        rest.Opt[bool]   `param:"mirror_trigger_builds"`
	RepositoryStorage          rest.Opt[string] `param:"repository_storage"` // for administrators
}

// projectLateFields are the settings that only existing projects take.
type projectLateFields struct {
	rest.Into[tree.ProjectSettings]
	IssuesTemplate                 rest.Opt[string]   `param:"issues_template"`
	MergeRequestsTemplate          rest.Opt[string]   `param:"merge_requests_template"`
	MergePipelinesEnabled          rest.Opt[bool]     `param:"merge_pipelines_enabled"`
	MergeTrainsEnabled             rest.Opt[bool]     `param:"merge_trains_enabled"`
	MergeTrainsSkipTrainAllowed    rest.Opt[bool]     `param:"merge_trains_skip_train_allowed"`
	FallbackApprovalsRequired      rest.Opt[int]      `param:"fallback_approvals_required" min:"0"`
	AllowPipelineTriggerApproval   rest.Opt[bool]     `param:"allow_pipeline_trigger_approve_deployment"`
	MaxArtifactsSize               rest.Opt[int]      `param:"max_artifacts_size" min:"1"`
	RestrictUserDefinedVariables   rest.Opt[bool]     `param:"restrict_user_defined_variables"`
	CIDefaultGitDepth              rest.Opt[int]      `param:"ci_default_git_depth"`
	CIForwardDeploymentEnabled     rest.Opt[bool]     `param:"ci_forward_deployment_enabled"`
	CIForwardDeploymentRollback    rest.Opt[bool]     `param:"ci_forward_deployment_rollback_allowed"`
	CIAllowForkPipelines           rest.Opt[bool]     `param:"ci_allow_fork_pipelines_to_run_in_parent_project"`
	CISeparatedCaches              rest.Opt[bool]     `param:"ci_separated_caches"`
	CIPushForJobToken              rest.Opt[bool]     `param:"ci_push_repository_for_job_token_allowed"`
	CIIDTokenSubClaimComponents    rest.Opt[[]string] `param:"ci_id_token_sub_claim_components,comma" oneof:"project_path ref_type ref"`
	CIDeletePipelinesInSeconds     rest.Opt[int]      `param:"ci_delete_pipelines_in_seconds" min:"86400"`
	CIVariablesMinimumOverrideRole rest.Opt[string]   `param:"ci_pipeline_variables_minimum_override_role" oneof:"owner maintainer developer no_one_allowed"`
	CIRestrictPipelineCancelRole   rest.Opt[string]   `param:"ci_restrict_pipeline_cancellation_role" oneof:"developer maintainer no_one"`
	MirrorUserID                   rest.Opt[int64]    `param:"mirror_user_id"`
	MirrorBranchRegex              rest.Opt[string]   `param:"mirror_branch_regex"`
	MirrorOverwritesDiverged       rest.Opt[bool]     `param:"mirror_overwrites_diverged_branches"`
	OnlyMirrorProtectedBranches    rest.Opt[bool]     `param:"only_mirror_protected_branches"`
}

// into stores the parameters. A pull mirror takes protected branches or those that match a regex:
// the last one given wins.
func (in projectLateFields) into(s *tree.ProjectSettings) error {
	protected, regex := in.OnlyMirrorProtectedBranches.Or(false), in.MirrorBranchRegex.Or("") != ""
	if protected && regex {
		return fault.Param("only_mirror_protected_branches, mirror_branch_regex are mutually exclusive")
	}
	rest.Merge(s, in, tree.NewProjectSettings())
	if protected {
		s.MirrorBranchRegex = nil
	}
	if regex {
		s.OnlyMirrorProtectedBranches = new(false)
	}
	return nil
}

// projectSwitches are older names: what they switch is a feature's access level, or the opposite of
// a newer flag. Where both are given the newer one counts.
type projectSwitches struct {
	Issues            rest.Opt[bool] `param:"issues_enabled"`
	MergeRequests     rest.Opt[bool] `param:"merge_requests_enabled"`
	Wiki              rest.Opt[bool] `param:"wiki_enabled"`
	Jobs              rest.Opt[bool] `param:"jobs_enabled,alias=builds_enabled"`
	Snippets          rest.Opt[bool] `param:"snippets_enabled"`
	ContainerRegistry rest.Opt[bool] `param:"container_registry_enabled"`
	EmailsDisabled    rest.Opt[bool] `param:"emails_disabled"`
}

func (in projectSwitches) into(s *tree.ProjectSettings) {
	for _, feature := range []struct {
		on    rest.Opt[bool]
		level *string
	}{
		{in.Issues, &s.IssuesAccess},
		{in.MergeRequests, &s.MergeRequestsAccess},
		{in.Wiki, &s.WikiAccess},
		{in.Jobs, &s.BuildsAccess},
		{in.Snippets, &s.SnippetsAccess},
		{in.ContainerRegistry, &s.ContainerAccess},
	} {
		switch on, given := feature.on.Value(); {
		case given && !on:
			*feature.level = "disabled"
		case given && *feature.level == "disabled": // it is on already, for some or for all
			*feature.level = "enabled"
		}
	}
	if off, given := in.EmailsDisabled.Value(); given {
		s.EmailsEnabled = !off
	}
}

// projectExpiration is the cleanup policy of container images.
type projectExpiration struct {
	rest.Into[tree.ExpirationPolicy]
	Cadence       rest.Opt[string] `param:"cadence" oneof:"1d 7d 14d 1month 3month"`
	Enabled       rest.Opt[bool]   `param:"enabled"`
	KeepN         rest.Opt[int]    `param:"keep_n" oneof:"1 5 10 25 50 100"`
	OlderThan     rest.Opt[string] `param:"older_than" oneof:"7d 14d 30d 60d 90d"`
	NameRegex     rest.Opt[string] `param:"name_regex,alias=name_regex_delete"`
	NameRegexKeep rest.Opt[string] `param:"name_regex_keep"`
}

// projectFields are the parameters that new and existing projects take.
type projectFields struct {
	Name          rest.Opt[string]   `param:"name"`
	Path          rest.Opt[string]   `param:"path"`
	Description   rest.Opt[*string]  `param:"description"`
	Visibility    rest.Opt[string]   `param:"visibility" oneof:"private internal public"`
	DefaultBranch rest.Opt[string]   `param:"default_branch"`
	Topics        rest.Opt[[]string] `param:"topics,comma,alias=tag_list"`
	view.AvatarParam
	ImportURL  rest.Opt[string]            `param:"import_url"`
	Expiration rest.Opt[projectExpiration] `param:"container_expiration_policy_attributes"`
	projectSettingFields
	projectSwitches
}

// into sets the given fields of a project.
func (in projectFields) into(p *tree.Project) {
	defaults := tree.NewProjectSettings()
	in.projectSwitches.into(&p.Settings)
	rest.Merge(&p.Settings, in.projectSettingFields, defaults)
	if policy, given := in.Expiration.Value(); given {
		rest.Merge(&p.Settings.ContainerExpirationPolicy, policy, defaults.ContainerExpirationPolicy)
	}
	in.Description.Into(&p.Description)
	if in.Topics.Given() {
		p.Topics = tidyTopics(in.Topics.Or(nil))
	}
	if branch := in.DefaultBranch.Or(""); branch != "" {
		p.DefaultBranch = &branch
	}
	in.Name.Into(&p.Name)
	in.Path.Into(&p.Path)
	if word, given := in.Visibility.Value(); given {
		p.Visibility = db.ParseVisibility(word)
	}
}

// tidyTopics removes blanks and duplicates, and keeps the order.
func tidyTopics(topics []string) []string {
	tidy := []string{}
	seen := map[string]bool{}
	for _, t := range topics {
		if t = strings.TrimSpace(t); t != "" && !seen[strings.ToLower(t)] {
			seen[strings.ToLower(t)] = true
			tidy = append(tidy, t)
		}
	}
	return tidy
}
