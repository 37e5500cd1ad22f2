package api

import (
	"time"

	"hew/server/store"
)

// projectView is a project in two steps: the simple view is all that nobody in particular gets, or who asks for no more;
// the details have a part for maintainers (gaps §4.2).
type projectView struct {
	simpleProject
	*projectDetails
}

type simpleProject struct {
	ID                int64            `json:"id"`
	Description       *string          `json:"description"`
	Name              string           `json:"name"`
	NameWithNamespace string           `json:"name_with_namespace"`
	Path              string           `json:"path"`
	PathWithNamespace string           `json:"path_with_namespace"`
	CreatedAt         time.Time        `json:"created_at"`
	DefaultBranch     string           `json:"default_branch"`
	TagList           []string         `json:"tag_list"`
	Topics            []string         `json:"topics"`
	SSHURL            string           `json:"ssh_url_to_repo"`
	HTTPURL           string           `json:"http_url_to_repo"`
	WebURL            string           `json:"web_url"`
	ReadmeURL         *string          `json:"readme_url"`
	ForksCount        int              `json:"forks_count"`
	AvatarURL         *string          `json:"avatar_url"`
	StarCount         int              `json:"star_count"`
	LastActivityAt    time.Time        `json:"last_activity_at"`
	Namespace         projectNamespace `json:"namespace"`
}

type projectNamespace struct {
	ID        int64   `json:"id"`
	Name      string  `json:"name"`
	Path      string  `json:"path"`
	Kind      string  `json:"kind"`
	FullPath  string  `json:"full_path"`
	ParentID  *int64  `json:"parent_id"`
	AvatarURL *string `json:"avatar_url"`
	WebURL    string  `json:"web_url"`
}

// projectSettings go over the wire as they are stored.
type projectSettings store.ProjectSettings

type projectDetails struct {
	Visibility          store.Visibility `json:"visibility"`
	Links               projectLinks     `json:"_links"`
	Archived            bool             `json:"archived"`
	EmptyRepo           bool             `json:"empty_repo"`
	Owner               *basicUser       `json:"owner,omitempty"` // of a personal project
	CreatorID           *int64           `json:"creator_id"`
	MarkedForDeletionOn *store.Date      `json:"marked_for_deletion_on"`
	MarkedForDeletionAt *store.Date      `json:"marked_for_deletion_at"` // the older name
	OpenIssuesCount     *int             `json:"open_issues_count,omitempty"`
	ImportURL           *string          `json:"import_url"`
	ImportType          *string          `json:"import_type"`
	ImportStatus        string           `json:"import_status"`
	ImportError         *string          `json:"import_error"`
	ServiceDeskAddress  *string          `json:"service_desk_address"`
	SharedWithGroups    []groupShare     `json:"shared_with_groups"`
	ComplianceFrame     []string         `json:"compliance_frameworks"`

	projectSettings
	IssuesEnabled            bool `json:"issues_enabled"`
	MergeRequestsEnabled     bool `json:"merge_requests_enabled"`
	WikiEnabled              bool `json:"wiki_enabled"`
	JobsEnabled              bool `json:"jobs_enabled"`
	SnippetsEnabled          bool `json:"snippets_enabled"`
	ContainerRegistryEnabled bool `json:"container_registry_enabled"`
	RequirementsEnabled      bool `json:"requirements_enabled"`
	SecurityEnabled          bool `json:"security_and_compliance_enabled"`
	EmailsDisabled           bool `json:"emails_disabled"`
	CanCreateMergeRequestIn  bool `json:"can_create_merge_request_in"`

	Permissions      projectPermissions `json:"permissions"`
	Statistics       *projectStatistics `json:"statistics,omitempty"`
	CustomAttributes []customAttribute  `json:"custom_attributes,omitzero"`
	RunnersToken     string             `json:"runners_token,omitempty"` // for maintainers
	*projectLicense
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
