package provider

import (
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// The settings of a project (gaps §4.1), by what they are about. An avatar is an
// uploaded file and no setting.

// projectOrigin says what a new project begins with.
var projectOrigin = []Attr{
	Bool("initialize_with_readme", "A new project begins with a README, and so with a default branch.", CreateOnly),
	String("template_name", "The template of the host that a new project begins with.", CreateOnly),
	Number("template_project_id", "The id of the project that a new one begins as a copy of.", CreateOnly, Between(1, Unbounded)),
	Bool("use_custom_template", "The template is one of the group's or the instance's own.", CreateOnly),
	Number("group_with_project_templates_id", "The id of the group that has the custom template.", CreateOnly, Between(1, Unbounded)),
	String("repository_object_format", "How a new repository names its objects: sha1 or sha256.", CreateOnly, OneOf("sha1", "sha256")),
	String("import_url", "Where a new project is cloned from, and pulled from if it is a mirror. "+
		"As it may hold credentials, it is never shown or read back.",
		Secret, Check(AbsoluteURL)),
}

var projectSettings = []Attr{
	String("description", "What the project is for.", MaxLength(2000), Default("")),
	String("visibility", "Who may see it: private (members), internal (everyone signed in) or public. "+
		"It cannot be more visible than its group.",
		OneOf("private", "internal", "public"), Default("private")),
	String("default_branch", "The branch that merge requests target and clones check out. It must exist.", Check(branchName), Usual("main")),
	StringSet("topics", "Topics that the project is found by.", Default(cty.SetValEmpty(cty.String)),
		Norm(topics, "Spaces around a topic do not count, nor do upper and lower case; an empty one is none.")),
	Bool("packages_enabled", "The package registry is on.", Default(true)),
	Bool("lfs_enabled", "Git LFS may be used.", Default(true)),
	Bool("shared_runners_enabled", "The host's shared runners serve the project.", Default(true)),
	Bool("group_runners_enabled", "The group's runners serve the project.", Default(true)),
	Bool("request_access_enabled", "People may ask to become members.", Default(true)),
	Bool("service_desk_enabled", "Issues can be opened by e-mail.", Default(true)),
	Bool("emails_enabled", "E-mail notifications are sent.", Default(true)),
	Bool("emails_disabled", "No e-mail notifications are sent. Deprecated on newer hosts: use emails_enabled.", SupersededBy("emails_enabled")),
	Bool("enforce_auth_checks_on_uploads", "Uploaded files are shown only to those who may see the project.", Default(true)),
	Bool("show_default_award_emojis", "Issues and merge requests offer the usual reactions.", Default(true)),
	Bool("warn_about_potentially_unwanted_characters", "Invisible characters in code are pointed out.", Default(true)),
	Bool("show_diff_preview_in_email", "E-mails about changes show the changed lines.", Default(true)),
	Bool("mr_default_target_self", "In a fork, new merge requests target the fork itself.", Default(false)),
	Bool("prevent_merge_without_jira_issue", "A merge request must name an issue of the connected tracker.", Default(false)),
	String("issue_branch_template", "How branches made from issues are named.", Default("")),
	String("external_authorization_classification_label", "The label that the external authorization service decides by.", Default("")),
	String("repository_storage", "The storage that holds the repository. Takes an administrator.", Usual("default")),
	Object("container_expiration_policy_attributes", "When old container images are removed. All fields are stated together; null is none.",
		expirationPolicy, Field("container_expiration_policy"), Usual(noExpiration)),
	Bool("mirror", "The project is a pull mirror of import_url.", Default(false)),
	Bool("mirror_trigger_builds", "Changes that the mirror pulls start pipelines.", Default(false)),
}

var expirationPolicy = map[string]cty.Type{
	"enabled": cty.Bool, "cadence": cty.String, "keep_n": cty.Number, "older_than": cty.String,
	"name_regex": cty.String, "name_regex_keep": cty.String,
}

// noExpiration is the policy of a project that never had one.
var noExpiration = cty.ObjectVal(map[string]cty.Value{
	"enabled": cty.False, "cadence": cty.StringVal("1d"), "keep_n": cty.NumberIntVal(10), "older_than": cty.StringVal("90d"),
	"name_regex": cty.NullVal(cty.String), "name_regex_keep": cty.NullVal(cty.String),
})

// projectFeatures are access levels: who may use what.
var projectFeatures = Join(
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
		"issues":             "Issues are",
		"merge_requests":     "Merge requests are",
		"wiki":               "The wiki is",
		"jobs":               "Pipelines are",
		"snippets":           "Snippets are",
		"container_registry": "The container registry is",
	}),
)

var projectMerging = []Attr{
	String("merge_method", "How merge requests are merged: "+
		"merge (a merge commit), rebase_merge (one on a linear history) or ff (fast-forward only).",
		OneOf("merge", "rebase_merge", "ff"), Default("merge")),
	String("squash_option", "Whether commits are squashed: never, always, default_on or default_off.",
		OneOf("never", "always", "default_on", "default_off"), Default("default_off")),
	Bool("only_allow_merge_if_pipeline_succeeds", "Merging takes a successful pipeline.", Default(false)),
	Bool("allow_merge_on_skipped_pipeline", "A skipped pipeline counts as a successful one.", Default(false)),
	Bool("only_allow_merge_if_all_discussions_are_resolved", "Merging takes all threads resolved.", Default(false)),
	Bool("only_allow_merge_if_all_status_checks_passed", "Merging takes all external status checks passed.", Default(false)),
	Bool("resolve_outdated_diff_discussions", "Threads on lines that a push changes are resolved.", Default(false)),
	Bool("printing_merge_request_link_enabled", "A push from the command line answers with a link to open a merge request.", Default(true)),
	Bool("remove_source_branch_after_merge", "New merge requests offer to delete their branch.", Default(true)),
	Bool("autoclose_referenced_issues", "Issues named in commits are closed when those are merged.", Default(true)),
	Number("approvals_before_merge", "Approvals that merging takes. Deprecated: approval rules replace it.", Between(0, 100), Default(0)),
	String("suggestion_commit_message", "The message of commits that apply suggestions; empty takes the host's.", Default("")),
	String("merge_commit_template", "The message of merge commits; empty takes the host's.", Default("")),
	String("squash_commit_template", "The message of squash commits; empty takes the host's.", Default("")),
	String("merge_request_title_regex", "The pattern that titles of merge requests must match.", Default("")),
}

var projectCI = []Attr{
	String("auto_cancel_pending_pipelines", "Whether a newer pipeline cancels older ones: enabled or disabled.",
		OneOf("enabled", "disabled"), Default("enabled")),
	String("build_git_strategy", "How jobs get the code: fetch (faster) or clone.", OneOf("fetch", "clone"), Default("fetch")),
	Number("build_timeout", "Seconds that a job may take.", Between(600, 2678400), Default(3600)),
	String("ci_config_path", "Where the pipeline's configuration is; empty takes the usual file.", Default("")),
	Bool("auto_devops_enabled", "The project uses Auto DevOps. Where it was never set, the group or the host decides.", NullInherits, Usual(false)),
	String("auto_devops_deploy_strategy", "How Auto DevOps deploys: continuous, manual or timed_incremental.",
		OneOf("continuous", "manual", "timed_incremental"), Default("continuous")),
	String("resource_group_default_process_mode", "The order of jobs in new resource groups: "+
		"unordered, oldest_first, newest_first or newest_ready_first.",
		OneOf("unordered", "oldest_first", "newest_first", "newest_ready_first"), Default("unordered")),
	Bool("keep_latest_artifact", "The newest artifacts of a branch are kept whatever their expiry.", Default(true)),
	Bool("public_jobs", "Whoever may see the project may see jobs and their logs.", Default(true)),
}

// projectLateSettings are ignored when a project is created.
var projectLateSettings = withOptions(SentAfterCreate)(
	Number("ci_default_git_depth", "Commits that a job fetches; 0 is all.", Between(0, 1000), Default(20)),
	Bool("ci_forward_deployment_enabled", "Older deployments are skipped.", Default(true)),
	Bool("ci_forward_deployment_rollback_allowed", "An older deployment may be repeated to roll back.", Default(true)),
	Bool("ci_allow_fork_pipelines_to_run_in_parent_project", "Pipelines of merge requests from forks may run here.", Default(true)),
	Bool("ci_separated_caches", "Protected branches have caches of their own.", Default(true)),
	Bool("ci_push_repository_for_job_token_allowed", "A job's token may push to this repository.", Default(false)),
	Typed(cty.List(cty.String), "ci_id_token_sub_claim_components", "What the subject of a job's identity token is made of, in order, "+
		"beginning with project_path.", Usual(cty.ListVal([]cty.Value{cty.StringVal("project_path"), cty.StringVal("ref_type"), cty.StringVal("ref")}))),
	Number("ci_delete_pipelines_in_seconds", "The age in seconds at which pipelines are deleted. Without it they are kept.",
		Between(86400, Unbounded)),
	Bool("restrict_user_defined_variables", "Only maintainers may start pipelines with variables of their own. "+
		"Deprecated on newer hosts: use ci_pipeline_variables_minimum_override_role.",
		Default(false), SupersededBy("ci_pipeline_variables_minimum_override_role")),
	String("ci_pipeline_variables_minimum_override_role", "The least role that may start pipelines with variables of its own: "+
		"owner, maintainer, developer or no_one_allowed.",
		OneOf("owner", "maintainer", "developer", "no_one_allowed"), Usual("developer")),
	String("ci_restrict_pipeline_cancellation_role", "The least role that may cancel pipelines: developer, maintainer or no_one.",
		OneOf("developer", "maintainer", "no_one"), Usual("developer")),
	Bool("allow_pipeline_trigger_approve_deployment", "Who started a pipeline may approve its deployments.", Default(false)),
	Number("max_artifacts_size", "Megabytes that the artifacts of a job may take. Without it the group or the host decides.",
		Between(1, Unbounded)),
	String("issues_template", "The text that new issues begin with.", Default("")),
	String("merge_requests_template", "The text that new merge requests begin with.", Default("")),
	Bool("merge_pipelines_enabled", "Pipelines run on the merged result.", Default(false)),
	Bool("merge_trains_enabled", "Merge requests are merged one after another, each tested on those before it.", Default(false)),
	Bool("merge_trains_skip_train_allowed", "A merge request may be merged without waiting for the train.", Default(false)),
	Number("mirror_user_id", "The id of the user that a pull mirror acts as.", Between(1, Unbounded)),
	Bool("only_mirror_protected_branches", "A pull mirror takes protected branches alone.", Default(false)),
	String("mirror_branch_regex", "The pattern of branches that a pull mirror takes; empty is all.", Default("")),
	Bool("mirror_overwrites_diverged_branches", "A pull mirror overwrites branches that went another way here.", Default(false)),
	Number("fallback_approvals_required", "Approvals that merging takes where no approval rule applies.", Between(0, 100), Default(0)),
)

// A feature is open to so many; some can be open to those who do not see the
// project.
var (
	insiders = []string{"disabled", "private", "enabled"}
	everyone = []string{"disabled", "private", "enabled", "public"}
	openTo   = map[string]string{
		"disabled": "nobody", "private": "members", "enabled": "whoever sees the project", "public": "everyone",
	}
)

// features are attributes of the form issues_access_level, in order of their
// names.
func features(values []string, of map[string]string, o ...Option) []Attr {
	var told []string
	for _, v := range values {
		told = append(told, v+" ("+openTo[v]+")")
	}
	last := len(told) - 1
	choice := strings.Join(told[:last], ", ") + " or " + told[last]
	var rows []Attr
	for _, name := range keys(of) {
		rows = append(rows, String(name+"_access_level", "Who may use "+of[name]+": "+choice+".", prepend(o, OneOf(values...))...))
	}
	return rows
}

// switches are the older form of features, issues_enabled. They have no default
// of their own: it would undo the access level.
func switches(of map[string]string) []Attr {
	var rows []Attr
	for _, name := range keys(of) {
		level := name
		if name == "jobs" {
			level = "builds"
		}
		rows = append(rows, Bool(name+"_enabled", of[name]+" on. Deprecated: use "+level+"_access_level.", SupersededBy(level+"_access_level")))
	}
	return rows
}
