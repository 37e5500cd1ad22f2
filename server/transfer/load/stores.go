package load

import "context"

// stores are the relations that have a place here, and what stores their documents.
var stores map[string]func(ctx context.Context, b *batch, documents []Document) error

func init() {
	stores = map[string]func(context.Context, *batch, []Document) error{
		"user_contributions":          storeNothing, // ArchiveUsers has read them
		"project_members":             storeMembers,
		"project_feature":             storeFeatures,
		"ci_cd_settings":              storeCICDSettings,
		"auto_devops":                 storeAutoDevops,
		"container_expiration_policy": storeExpirationPolicy,
		"error_tracking_setting":      storeErrorTracking,
		"custom_attributes":           storeCustomAttributes,
		"labels":                      storeLabels,
		"milestones":                  storeMilestones,
		"issues":                      storeIssues,
		IssueLinks:                    storeIssueLinks,
		"merge_requests":              storeMergeRequests,
		"snippets":                    storeSnippets,
		"releases":                    storeReleases,
		"commit_notes":                storeCommitNotes,
		"ci_pipelines":                storePipelines,
		"pipeline_schedules":          storeSchedules,
		"protected_branches":          storeProtectedBranches,
		"protected_tags":              storeProtectedTags,
		"push_rule":                   storePushRule,
		"approval_rules":              storeApprovalRules,
	}
}

// storeNothing is for relations that are read before others.
func storeNothing(context.Context, *batch, []Document) error { return nil }
