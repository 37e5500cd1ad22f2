package provider

import (
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// The settings of a project (gaps §4.1), by what they are about. An avatar is an
// uploaded file and no setting.

// projectOrigin says what a new project begins with.
var projectOrigin = []attr{
	boolean("initialize_with_readme", "A new project begins with a README, and so with a default branch.", once),
	text("template_name", "The template of the host that a new project begins with.", once),
	number("template_project_id", "The id of the project that a new one begins as a copy of.", once, between(1, many)),
	boolean("use_custom_template", "The template is one of the group's or the instance's own.", once),
	number("group_with_project_templates_id", "The id of the group that has the custom template.", once, between(1, many)),
	text("repository_object_format", "How a new repository names its objects: sha1 or sha256.", once, oneOf("sha1", "sha256")),
	text("import_url", "Where a new project is cloned from, and pulled from if it is a mirror. "+
		"As it may hold credentials, it is never shown or read back.",
		secret, check(absoluteURL)),
}

var projectSettings = []attr{
	text("description", "What the project is for.", atMost(2000), def("")),
	text("visibility", "Who may see it: private (members), internal (everyone signed in) or public. "+
		"It cannot be more visible than its group.",
		oneOf("private", "internal", "public"), def("private")),
	text("default_branch", "The branch that merge requests target and clones check out. It must exist.", check(branchName), usual("main")),
	words("topics", "Topics that the project is found by.", def(cty.SetValEmpty(cty.String)),
		norm(topics, "Spaces around a topic do not count, nor do upper and lower case; an empty one is none.")),
	boolean("packages_enabled", "The package registry is on.", def(true)),
	boolean("lfs_enabled", "Git LFS may be used.", def(true)),
	boolean("shared_runners_enabled", "The host's shared runners serve the project.", def(true)),
	boolean("group_runners_enabled", "The group's runners serve the project.", def(true)),
	boolean("request_access_enabled", "People may ask to become members.", def(true)),
	boolean("service_desk_enabled", "Issues can be opened by e-mail.", def(true)),
	boolean("emails_enabled", "E-mail notifications are sent.", def(true)),
	boolean("emails_disabled", "No e-mail notifications are sent. Deprecated on newer hosts: use emails_enabled.", instead("emails_enabled")),
	boolean("enforce_auth_checks_on_uploads", "Uploaded files are shown only to those who may see the project.", def(true)),
	boolean("show_default_award_emojis", "Issues and merge requests offer the usual reactions.", def(true)),
	boolean("warn_about_potentially_unwanted_characters", "Invisible characters in code are pointed out.", def(true)),
	boolean("show_diff_preview_in_email", "E-mails about changes show the changed lines.", def(true)),
	boolean("mr_default_target_self", "In a fork, new merge requests target the fork itself.", def(false)),
	boolean("prevent_merge_without_jira_issue", "A merge request must name an issue of the connected tracker.", def(false)),
	text("issue_branch_template", "How branches made from issues are named.", def("")),
	text("external_authorization_classification_label", "The label that the external authorization service decides by.", def("")),
	text("repository_storage", "The storage that holds the repository. Takes an administrator.", usual("default")),
	object("container_expiration_policy_attributes", "When old container images are removed. All fields are stated together; null is none.",
		expirationPolicy, column("container_expiration_policy"), usual(noExpiration)),
	boolean("mirror", "The project is a pull mirror of import_url.", def(false)),
	boolean("mirror_trigger_builds", "Changes that the mirror pulls start pipelines.", def(false)),
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
var projectFeatures = join(
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
	}, def("enabled")),
	features(insiders, map[string]string{"security_and_compliance": "security and compliance"}, def("private")),
	features(everyone, map[string]string{"package_registry": "the package registry"}, def("enabled")),
	features(everyone, map[string]string{"pages": "the project's published pages"}, def("private")),
	switches(map[string]string{
		"issues":             "Issues are",
		"merge_requests":     "Merge requests are",
		"wiki":               "The wiki is",
		"jobs":               "Pipelines are",
		"snippets":           "Snippets are",
		"container_registry": "The container registry is",
	}),
)

var projectMerging = []attr{
	text("merge_method", "How merge requests are merged: "+
		"merge (a merge commit), rebase_merge (one on a linear history) or ff (fast-forward only).",
		oneOf("merge", "rebase_merge", "ff"), def("merge")),
	text("squash_option", "Whether commits are squashed: never, always, default_on or default_off.",
		oneOf("never", "always", "default_on", "default_off"), def("default_off")),
	boolean("only_allow_merge_if_pipeline_succeeds", "Merging takes a successful pipeline.", def(false)),
	boolean("allow_merge_on_skipped_pipeline", "A skipped pipeline counts as a successful one.", def(false)),
	boolean("only_allow_merge_if_all_discussions_are_resolved", "Merging takes all threads resolved.", def(false)),
	boolean("only_allow_merge_if_all_status_checks_passed", "Merging takes all external status checks passed.", def(false)),
	boolean("resolve_outdated_diff_discussions", "Threads on lines that a push changes are resolved.", def(false)),
	boolean("printing_merge_request_link_enabled", "A push from the command line answers with a link to open a merge request.", def(true)),
	boolean("remove_source_branch_after_merge", "New merge requests offer to delete their branch.", def(true)),
	boolean("autoclose_referenced_issues", "Issues named in commits are closed when those are merged.", def(true)),
	number("approvals_before_merge", "Approvals that merging takes. Deprecated: approval rules replace it.", between(0, 100), def(0)),
	text("suggestion_commit_message", "The message of commits that apply suggestions; empty takes the host's.", def("")),
	text("merge_commit_template", "The message of merge commits; empty takes the host's.", def("")),
	text("squash_commit_template", "The message of squash commits; empty takes the host's.", def("")),
	text("merge_request_title_regex", "The pattern that titles of merge requests must match.", def("")),
}

var projectCI = []attr{
	text("auto_cancel_pending_pipelines", "Whether a newer pipeline cancels older ones: enabled or disabled.",
		oneOf("enabled", "disabled"), def("enabled")),
	text("build_git_strategy", "How jobs get the code: fetch (faster) or clone.", oneOf("fetch", "clone"), def("fetch")),
	number("build_timeout", "Seconds that a job may take.", between(600, 2678400), def(3600)),
	text("ci_config_path", "Where the pipeline's configuration is; empty takes the usual file.", def("")),
	boolean("auto_devops_enabled", "The project uses Auto DevOps. Where it was never set, the group or the host decides.", inherits, usual(false)),
	text("auto_devops_deploy_strategy", "How Auto DevOps deploys: continuous, manual or timed_incremental.",
		oneOf("continuous", "manual", "timed_incremental"), def("continuous")),
	text("resource_group_default_process_mode", "The order of jobs in new resource groups: "+
		"unordered, oldest_first, newest_first or newest_ready_first.",
		oneOf("unordered", "oldest_first", "newest_first", "newest_ready_first"), def("unordered")),
	boolean("keep_latest_artifact", "The newest artifacts of a branch are kept whatever their expiry.", def(true)),
	boolean("public_jobs", "Whoever may see the project may see jobs and their logs.", def(true)),
}

// projectLateSettings are ignored when a project is created.
var projectLateSettings = all(late)(
	number("ci_default_git_depth", "Commits that a job fetches; 0 is all.", between(0, 1000), def(20)),
	boolean("ci_forward_deployment_enabled", "Older deployments are skipped.", def(true)),
	boolean("ci_forward_deployment_rollback_allowed", "An older deployment may be repeated to roll back.", def(true)),
	boolean("ci_allow_fork_pipelines_to_run_in_parent_project", "Pipelines of merge requests from forks may run here.", def(true)),
	boolean("ci_separated_caches", "Protected branches have caches of their own.", def(true)),
	boolean("ci_push_repository_for_job_token_allowed", "A job's token may push to this repository.", def(false)),
	typed(cty.List(cty.String), "ci_id_token_sub_claim_components", "What the subject of a job's identity token is made of, in order, "+
		"beginning with project_path.", usual(cty.ListVal([]cty.Value{cty.StringVal("project_path"), cty.StringVal("ref_type"), cty.StringVal("ref")}))),
	number("ci_delete_pipelines_in_seconds", "The age in seconds at which pipelines are deleted. Without it they are kept.",
		between(86400, many)),
	boolean("restrict_user_defined_variables", "Only maintainers may start pipelines with variables of their own. "+
		"Deprecated on newer hosts: use ci_pipeline_variables_minimum_override_role.",
		def(false), instead("ci_pipeline_variables_minimum_override_role")),
	text("ci_pipeline_variables_minimum_override_role", "The least role that may start pipelines with variables of its own: "+
		"owner, maintainer, developer or no_one_allowed.",
		oneOf("owner", "maintainer", "developer", "no_one_allowed"), usual("developer")),
	text("ci_restrict_pipeline_cancellation_role", "The least role that may cancel pipelines: developer, maintainer or no_one.",
		oneOf("developer", "maintainer", "no_one"), usual("developer")),
	boolean("allow_pipeline_trigger_approve_deployment", "Who started a pipeline may approve its deployments.", def(false)),
	number("max_artifacts_size", "Megabytes that the artifacts of a job may take. Without it the group or the host decides.",
		between(1, many)),
	text("issues_template", "The text that new issues begin with.", def("")),
	text("merge_requests_template", "The text that new merge requests begin with.", def("")),
	boolean("merge_pipelines_enabled", "Pipelines run on the merged result.", def(false)),
	boolean("merge_trains_enabled", "Merge requests are merged one after another, each tested on those before it.", def(false)),
	boolean("merge_trains_skip_train_allowed", "A merge request may be merged without waiting for the train.", def(false)),
	number("mirror_user_id", "The id of the user that a pull mirror acts as.", between(1, many)),
	boolean("only_mirror_protected_branches", "A pull mirror takes protected branches alone.", def(false)),
	text("mirror_branch_regex", "The pattern of branches that a pull mirror takes; empty is all.", def("")),
	boolean("mirror_overwrites_diverged_branches", "A pull mirror overwrites branches that went another way here.", def(false)),
	number("fallback_approvals_required", "Approvals that merging takes where no approval rule applies.", between(0, 100), def(0)),
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
func features(values []string, of map[string]string, o ...option) []attr {
	var told []string
	for _, v := range values {
		told = append(told, v+" ("+openTo[v]+")")
	}
	last := len(told) - 1
	choice := strings.Join(told[:last], ", ") + " or " + told[last]
	var rows []attr
	for _, name := range keys(of) {
		rows = append(rows, text(name+"_access_level", "Who may use "+of[name]+": "+choice+".", first(o, oneOf(values...))...))
	}
	return rows
}

// switches are the older form of features, issues_enabled. They have no default
// of their own: it would undo the access level.
func switches(of map[string]string) []attr {
	var rows []attr
	for _, name := range keys(of) {
		level := name
		if name == "jobs" {
			level = "builds"
		}
		rows = append(rows, boolean(name+"_enabled", of[name]+" on. Deprecated: use "+level+"_access_level.", instead(level+"_access_level")))
	}
	return rows
}
