package load

import (
	"slices"
	"strings"
)

// settingWords are the words that settings of a project can be, as in the API.
var settingWords = map[string][]string{
	"merge_method":                                {"merge", "rebase_merge", "ff"},
	"squash_option":                               {"never", "always", "default_on", "default_off"},
	"auto_cancel_pending_pipelines":               {"disabled", "enabled"},
	"build_git_strategy":                          {"fetch", "clone"},
	"auto_devops_deploy_strategy":                 {"continuous", "manual", "timed_incremental"},
	"resource_group_default_process_mode":         {"unordered", "oldest_first", "newest_first", "newest_ready_first"},
	"ci_pipeline_variables_minimum_override_role": {"owner", "maintainer", "developer", "no_one_allowed"},
	"ci_restrict_pipeline_cancellation_role":      {"developer", "maintainer", "no_one"},
	"ci_id_token_sub_claim_components":            {"project_path", "ref_type", "ref"},
}

// leastNumbers are the least values of settings that are numbers.
var leastNumbers = map[string]int{
	"approvals_before_merge": 0, "fallback_approvals_required": 0, "max_artifacts_size": 1,
	"ci_delete_pipelines_in_seconds": 86400,
}

// isSetting reports whether a setting of a project can have a value.
func isSetting(name string, value any) bool {
	least, bounded := leastNumbers[name]
	switch v := value.(type) {
	case string:
		if words, ok := settingWords[name]; ok {
			return slices.Contains(words, v)
		}
		if strings.HasSuffix(name, "_access_level") {
			return slices.Contains([]string{"disabled", "private", "enabled"}, v) || v == "public" && maybePublic[name]
		}
	case []string:
		words, ok := settingWords[name]
		return !ok || !slices.ContainsFunc(v, func(word string) bool { return !slices.Contains(words, word) })
	case int:
		return !bounded || v >= least
	case *int:
		return !bounded || v == nil || *v >= least
	}
	return true
}
