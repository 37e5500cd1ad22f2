package provider

import (
	"github.com/zclconf/go-cty/cty"
)

// The settings of a project (gaps §4.1), by subject. Avatars are uploaded files and not
// managed.

// projectOrigin are the arguments for the content of a new project.
func projectOrigin() []Attr {
	return []Attr{
		Bool("initialize_with_readme", "Whether a new project gets a README, and with it a default branch.",
			CreateOnly),
		String("template_name", "The built-in template of a new project.", CreateOnly),
		Number("template_project_id", "The id of the project to use as the template of a new one.", CreateOnly,
			Between(1, Unbounded)),
		Bool("use_custom_template", "Whether the template is a custom template of the group or instance.", CreateOnly),
		Number("group_with_project_templates_id", "The id of the group with the custom template.", CreateOnly,
			Between(1, Unbounded)),
		String("repository_object_format", "The object format of a new repository: sha1 or sha256.", CreateOnly,
			OneOf("sha1", "sha256")),
		String("import_url", "The URL to import a new project from, and to pull from if it is a mirror. "+
			"It may hold credentials, so it is never shown or read back.",
			Secret, Check(AbsoluteURL), SentWith("mirror")), // hosts do not keep what a mirror needs
	}
}

func projectSettings() []Attr {
	return []Attr{
		String("description", "A description of the project.", MaxLength(2000), Default("")),
		String("visibility", "Who can see the project: private (members), internal (signed-in users) or public. "+
			"It cannot be more visible than its group.",
			OneOf("private", "internal", "public"), Default("private"), opensToViewers),
		String("default_branch", "The default branch. It must exist.", Check(checkBranchName), Usual("main")),
		StringSet("topics", "The topics of the project.", Default(cty.SetValEmpty(cty.String)),
			Norm(normTopics, "Case and spaces around a topic do not matter, and empty topics are ignored."),
			ElementsUpTo(255)),
		Bool("packages_enabled", "Whether the package registry is on.", Default(true)),
		Bool("lfs_enabled", "Whether Git LFS is on.", Default(true)),
		Bool("shared_runners_enabled", "Whether instance runners serve the project.", Default(true)),
		Bool("group_runners_enabled", "Whether group runners serve the project.", Default(true)),
		Bool("request_access_enabled", "Whether users may request access.", Default(true)),
		Bool("service_desk_enabled", "Whether Service Desk is on, which creates issues from e-mails.", Default(true)),
		Bool("emails_enabled", "Whether e-mail notifications are sent.", Default(true)),
		Bool("emails_disabled",
			"Whether e-mail notifications are not sent. Deprecated on newer hosts: use emails_enabled.",
			SupersededBy("emails_enabled")),
		Bool("enforce_auth_checks_on_uploads", "Whether uploaded files require access to the project.", Default(true),
			OpensIf(false)),
		Bool("show_default_award_emojis", "Whether issues and merge requests offer the default reactions.",
			Default(true)),
		Bool("warn_about_potentially_unwanted_characters", "Whether invisible characters in code are highlighted.",
			Default(true)),
		Bool("show_diff_preview_in_email", "Whether e-mails about changes show the changed lines.", Default(true)),
		Bool("mr_default_target_self", "Whether new merge requests of a fork target the fork itself.", Default(false)),
		Bool("prevent_merge_without_jira_issue", "Whether merging requires that the merge request names a Jira issue.",
			Default(false), OpensIf(false)),
		String("issue_branch_template", "The name template of branches created from issues.", Default("")),
		String("external_authorization_classification_label",
			"The classification label for the external authorization service.", Default("")),
		String("repository_storage", "The storage of the repository. Requires an administrator.", Usual("default")),
		Object("container_expiration_policy_attributes",
			"The cleanup policy of the container registry. All fields are set together; null is none.",
			expirationPolicy(), Field("container_expiration_policy"), Usual(noExpiration())),
		Bool("mirror", "Whether the project is a pull mirror of import_url.", Default(false)),
		Bool("mirror_trigger_builds", "Whether changes from the pull mirror start pipelines.", Default(false)),
	}
}

func expirationPolicy() map[string]cty.Type {
	return map[string]cty.Type{
		"enabled": cty.Bool, "cadence": cty.String, "keep_n": cty.Number, "older_than": cty.String,
		"name_regex": cty.String, "name_regex_keep": cty.String,
	}
}

// noExpiration is the expiration policy of a project that never had one.
func noExpiration() cty.Value {
	return cty.ObjectVal(map[string]cty.Value{
		"enabled": cty.False, "cadence": cty.StringVal("1d"), "keep_n": cty.NumberIntVal(10),
		"older_than": cty.StringVal("90d"),
		"name_regex": cty.NullVal(cty.String), "name_regex_keep": cty.NullVal(cty.String),
	})
}

// projectFeatures are the access levels of a project's features.
func projectFeatures() []Attr {
	return Join(
		features(insiders, map[string]string{
			"issues":             "issues",
			"repository":         "the repository",
			"merge_requests":     "merge requests",
			"forking":            "forking",
			"wiki":               "the wiki",
			"builds":             "pipelines and jobs",
			"snippets":           "snippets",
			"analytics":          "analytics",
			"container_registry": "the container registry",
			"releases":           "releases",
			"environments":       "environments",
			"feature_flags":      "feature flags",
			"infrastructure":     "infrastructure",
			"monitor":            "monitoring",
			"model_experiments":  "model experiments",
			"model_registry":     "the model registry",
			"requirements":       "requirements",
		}, Default("enabled")),
		features(insiders, map[string]string{"security_and_compliance": "security and compliance"}, Default("private")),
		features(everyone, map[string]string{"package_registry": "the package registry"}, Default("enabled")),
		features(everyone, map[string]string{"pages": "the project's published pages"}, Default("private")),
		switches(map[string]string{
			"issues":             "issues are",
			"merge_requests":     "merge requests are",
			"wiki":               "the wiki is",
			"jobs":               "pipelines are",
			"snippets":           "snippets are",
			"container_registry": "the container registry is",
		}),
	)
}

func projectMerging() []Attr {
	return []Attr{
		String("merge_method", "The merge method: "+
			"merge (merge commit), rebase_merge (merge commit with a semi-linear history) or ff (fast-forward).",
			OneOf("merge", "rebase_merge", "ff"), Default("merge")),
		String("squash_option", "Whether commits are squashed: never, always, default_on or default_off.",
			OneOf("never", "always", "default_on", "default_off"), Default("default_off")),
		Bool("only_allow_merge_if_pipeline_succeeds", "Whether merging requires a successful pipeline.", Default(false),
			OpensIf(false)),
		Bool("allow_merge_on_skipped_pipeline", "Whether a skipped pipeline counts as successful.", Default(false),
			OpensIf(true)),
		Bool("only_allow_merge_if_all_discussions_are_resolved",
			"Whether merging requires that all threads are resolved.",
			Default(false), OpensIf(false)),
		Bool("only_allow_merge_if_all_status_checks_passed",
			"Whether merging requires that all external status checks passed.", Default(false), OpensIf(false)),
		Bool("resolve_outdated_diff_discussions", "Whether threads on lines that a push changes are resolved.",
			Default(false)),
		Bool("printing_merge_request_link_enabled",
			"Whether a push from the command line prints a link to create a merge request.", Default(true)),
		Bool("remove_source_branch_after_merge", "Whether new merge requests delete their source branch by default.",
			Default(true)),
		Bool("autoclose_referenced_issues",
			"Whether issues that are named in commits are closed when the commits reach the default branch.",
			Default(true)),
		Number("approvals_before_merge", "The number of required approvals. Deprecated: use approval rules.",
			Between(0, 100), Default(0), OpensFalling),
		String("suggestion_commit_message",
			"The message of commits that apply suggestions. Empty uses the host's default.",
			Default("")),
		String("merge_commit_template", "The template of merge commit messages. Empty uses the host's default.",
			Default("")),
		String("squash_commit_template", "The template of squash commit messages. Empty uses the host's default.",
			Default("")),
		String("merge_request_title_regex", "The regular expression that merge request titles must match.", Default(""),
			OpensEmptied),
	}
}

func projectCI() []Attr {
	return []Attr{
		String("auto_cancel_pending_pipelines", "Whether a newer pipeline cancels older ones: enabled or disabled.",
			OneOf("enabled", "disabled"), Default("enabled")),
		String("build_git_strategy", "The Git strategy of jobs: fetch (faster) or clone.", OneOf("fetch", "clone"),
			Default("fetch")),
		Number("build_timeout", "The timeout of jobs, in seconds.", Between(600, 2678400), Default(3600)),
		String("ci_config_path", "The path of the CI/CD configuration file. Empty uses the default path.", Default("")),
		Bool("auto_devops_enabled",
			"Whether the project uses Auto DevOps. If it was never set, the group or the host decides.", NullInherits,
			Usual(false)),
		String("auto_devops_deploy_strategy",
			"The Auto DevOps deployment strategy: continuous, manual or timed_incremental.",
			OneOf("continuous", "manual", "timed_incremental"), Default("continuous")),
		String("resource_group_default_process_mode", "The process mode of new resource groups: "+
			"unordered, oldest_first, newest_first or newest_ready_first.",
			OneOf("unordered", "oldest_first", "newest_first", "newest_ready_first"), Default("unordered")),
		Bool("keep_latest_artifact", "Whether the latest artifacts of a branch are kept after they expire.",
			Default(true)),
		Bool("public_jobs", "Whether everyone who can see the project can see its jobs and their logs.", Default(true),
			OpensIf(true)),
	}
}

// projectLateSettings are the settings that a creation ignores.
func projectLateSettings() []Attr {
	return withOptions(SentAfterCreate)(
		Number("ci_default_git_depth", "The number of commits that a job fetches. 0 is all.", Between(0, 1000),
			Default(20)),
		Bool("ci_forward_deployment_enabled", "Whether outdated deployment jobs are skipped.", Default(true)),
		Bool("ci_forward_deployment_rollback_allowed", "Whether an older deployment job may be retried to roll back.",
			Default(true)),
		Bool("ci_allow_fork_pipelines_to_run_in_parent_project",
			"Whether pipelines of merge requests from forks may run in this project.", Default(true), OpensIf(true)),
		Bool("ci_separated_caches", "Whether protected branches have separate caches.", Default(true), OpensIf(false)),
		Bool("ci_push_repository_for_job_token_allowed", "Whether a job token may push to the repository.",
			Default(false),
			OpensIf(true)),
		Typed(cty.List(cty.String), "ci_id_token_sub_claim_components",
			"The components of the subject of a job's ID token, in order, "+
				"starting with project_path.", Usual(cty.ListVal([]cty.Value{cty.StringVal("project_path"),
				cty.StringVal("ref_type"), cty.StringVal("ref")}))),
		Number("ci_delete_pipelines_in_seconds",
			"The age at which pipelines are deleted, in seconds. Without it, they are kept.",
			Between(86400, Unbounded)),
		Bool("restrict_user_defined_variables", "Whether only maintainers may run pipelines with variables. "+
			"Deprecated on newer hosts: use ci_pipeline_variables_minimum_override_role.",
			Default(false), SupersededBy("ci_pipeline_variables_minimum_override_role"), OpensIf(false)),
		String("ci_pipeline_variables_minimum_override_role", "The minimum role that can run pipelines with "+
			"variables: owner, maintainer, developer or no_one_allowed.",
			OneOf("owner", "maintainer", "developer", "no_one_allowed"), Usual("developer"),
			OpensAlong("no_one_allowed", "owner", "maintainer", "developer")),
		String("ci_restrict_pipeline_cancellation_role",
			"The minimum role that can cancel pipelines: developer, maintainer or no_one.",
			OneOf("developer", "maintainer", "no_one"), Usual("developer"),
			OpensAlong("no_one", "maintainer", "developer")),
		Bool("allow_pipeline_trigger_approve_deployment",
			"Whether the user who triggered a pipeline may approve its deployments.", Default(false), OpensIf(true)),
		Number("max_artifacts_size",
			"The maximum size of a job's artifacts, in megabytes. Without it, the group or the host decides.",
			Between(1, Unbounded)),
		String("issues_template", "The default description of new issues.", Default("")),
		String("merge_requests_template", "The default description of new merge requests.", Default("")),
		Bool("merge_pipelines_enabled", "Whether merged results pipelines are on.", Default(false)),
		Bool("merge_trains_enabled", "Whether merge trains are on.", Default(false)),
		Bool("merge_trains_skip_train_allowed", "Whether a merge request may be merged without the merge train.",
			Default(false), OpensIf(true)),
		Number("mirror_user_id", "The id of the user that the pull mirror acts as.", Between(1, Unbounded)),
		Bool("only_mirror_protected_branches", "Whether the pull mirror takes only protected branches.",
			Default(false)),
		String("mirror_branch_regex", "The regular expression of branches that the pull mirror takes. Empty is all.",
			Default("")),
		Bool("mirror_overwrites_diverged_branches", "Whether the pull mirror overwrites diverged branches.",
			Default(false)),
		Number("fallback_approvals_required", "The number of required approvals if no approval rule applies.",
			Between(0, 100), Default(0), OpensFalling),
	)
}
