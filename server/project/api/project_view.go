package api

import (
	"time"

	"hew/server/db"
	groupapi "hew/server/group/api"
	"hew/server/tree"
	"hew/server/view"
)

// projectView is a project: the part that everybody sees, and details with a part for maintainers
// (gaps §4.2).
type projectView struct {
	view.SimpleProject
	*projectDetails
}

// projectSettings are shown as they are stored.
type projectSettings tree.ProjectSettings

type projectDetails struct {
	Visibility          db.Visibility   `json:"visibility"`
	Links               projectLinks    `json:"_links"`
	Archived            bool            `json:"archived"`
	EmptyRepo           bool            `json:"empty_repo"`
	Owner               *view.BasicUser `json:"owner,omitempty"` // of a personal project
	CreatorID           *int64          `json:"creator_id"`
	MarkedForDeletionOn *db.Date        `json:"marked_for_deletion_on"`
	MarkedForDeletionAt *db.Date        `json:"marked_for_deletion_at"` // the older name
	OpenIssuesCount     *int            `json:"open_issues_count,omitempty"`
	ImportURL           *string         `json:"import_url"` // for maintainers, with masks
	importState
	ForkedFrom         *view.SimpleProject   `json:"forked_from_project,omitempty"` // if the caller sees it
	ServiceDeskAddress *string               `json:"service_desk_address"`
	SharedWithGroups   []groupapi.GroupShare `json:"shared_with_groups"`
	ComplianceFrame    []string              `json:"compliance_frameworks"`

	projectSettings
	Expiration               expirationView `json:"container_expiration_policy"` // in the place of the setting
	IssuesEnabled            bool           `json:"issues_enabled"`
	MergeRequestsEnabled     bool           `json:"merge_requests_enabled"`
	WikiEnabled              bool           `json:"wiki_enabled"`
	JobsEnabled              bool           `json:"jobs_enabled"`
	SnippetsEnabled          bool           `json:"snippets_enabled"`
	ContainerRegistryEnabled bool           `json:"container_registry_enabled"`
	RequirementsEnabled      bool           `json:"requirements_enabled"`
	SecurityEnabled          bool           `json:"security_and_compliance_enabled"`
	EmailsDisabled           bool           `json:"emails_disabled"`
	CanCreateMergeRequestIn  bool           `json:"can_create_merge_request_in"`

	Permissions      projectPermissions     `json:"permissions"`
	Statistics       *projectStatistics     `json:"statistics,omitempty"`
	CustomAttributes []view.CustomAttribute `json:"custom_attributes,omitzero"`
	RunnersToken     string                 `json:"runners_token,omitempty"` // for maintainers
	*projectLicense
}

// expirationView is a policy with the time when the next cleanup is due (gaps §15).
type expirationView struct {
	tree.ExpirationPolicy
	NextRunAt time.Time `json:"next_run_at"`
}

type projectLinks struct {
	Self          string  `json:"self"`
	Issues        *string `json:"issues,omitempty"` // this and the following are there while the feature is on
	MergeRequests *string `json:"merge_requests,omitempty"`
	RepoBranches  *string `json:"repo_branches,omitempty"`
	Labels        string  `json:"labels"`
	Events        string  `json:"events"`
	Members       string  `json:"members"`
	ClusterAgents string  `json:"cluster_agents"`
}

type projectPermissions struct {
	Project *projectPermission `json:"project_access"`
	Group   *projectPermission `json:"group_access"`
}

type projectPermission struct {
	AccessLevel       int `json:"access_level"`
	NotificationLevel int `json:"notification_level"` // 3 is global: as the user has it elsewhere
}

// projectStatistics are sizes in bytes, and the number of commits.
type projectStatistics struct {
	CommitCount           int64 `json:"commit_count"`
	StorageSize           int64 `json:"storage_size"`
	RepositorySize        int64 `json:"repository_size"`
	WikiSize              int64 `json:"wiki_size"`
	LFSObjectsSize        int64 `json:"lfs_objects_size"`
	JobArtifactsSize      int64 `json:"job_artifacts_size"`
	PipelineArtifactsSize int64 `json:"pipeline_artifacts_size"`
	PackagesSize          int64 `json:"packages_size"`
	SnippetsSize          int64 `json:"snippets_size"`
	UploadsSize           int64 `json:"uploads_size"`
	ContainerRegistrySize int64 `json:"container_registry_size"`
}

// projectLicense is null while there is no commit that could hold one.
type projectLicense struct {
	LicenseURL *string `json:"license_url"`
	License    *string `json:"license"`
}
