package api

import (
	"context"
	"strconv"
	"strings"
	"time"

	"hew/server/policy"
	"hew/server/store"
)

// A project has two views: the simple one, which is all that nobody in particular gets, and the full one, which has a
// part for maintainers (gaps §4.2).
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

type projectView struct {
	simpleProject
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
	SharedWithGroups    []struct{}       `json:"shared_with_groups"`
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

// projectExtras is what a request wants to see of a project.
type projectExtras struct {
	Simple     bool `param:"simple"`
	License    bool `param:"license"`
	Statistics bool `param:"statistics"`
	Attributes bool `param:"with_custom_attributes"`
}

// showProject shows one project as its caller may see it.
func (a *API) showProject(ctx context.Context, s Anyone, p store.Project, x projectExtras) (any, error) {
	views, err := a.showProjects(ctx, s, []store.Project{p}, x)
	if err != nil {
		return nil, err
	}
	return views[0], nil
}

// showProjects shows a page of projects: what the caller is in each of them is one query for all.
func (a *API) showProjects(ctx context.Context, s Anyone, projects []store.Project, x projectExtras) ([]any, error) {
	views := make([]any, len(projects))
	if x.Simple || !s.Caller.Signed() {
		for i, p := range projects {
			views[i] = a.simpleProject(p)
		}
		return views, nil
	}
	access, err := s.Store.ProjectAccess(ctx, s.Caller.ID(), projects)
	if err != nil {
		return nil, err
	}
	for i, p := range projects {
		if views[i], err = a.fullProject(s, p, access[p.ID], x); err != nil {
			return nil, err
		}
	}
	return views, nil
}

func (a *API) simpleProject(p store.Project) simpleProject {
	page := a.web(p.NamespaceFullPath)
	if p.NamespaceKind == "group" {
		page = a.web("groups/" + p.NamespaceFullPath)
	}
	return simpleProject{
		ID: p.ID, Description: p.Description, Name: p.Name, NameWithNamespace: p.NamespaceFullName + " / " + p.Name,
		Path: p.Path, PathWithNamespace: p.FullPath, CreatedAt: p.CreatedAt, DefaultBranch: p.Head, TagList: p.Topics,
		Topics: p.Topics, SSHURL: "git@" + a.host() + ":" + p.FullPath + ".git", HTTPURL: a.web(p.FullPath) + ".git",
		WebURL: a.web(p.FullPath), ForksCount: p.ForksCount, AvatarURL: p.Avatar, StarCount: p.StarCount,
		LastActivityAt: p.LastActivityAt,
		Namespace: projectNamespace{
			ID: p.NamespaceID, Name: p.NamespaceName, Path: p.NamespacePath, Kind: p.NamespaceKind,
			FullPath: p.NamespaceFullPath, ParentID: p.NamespaceParentID, AvatarURL: p.NamespaceAvatar, WebURL: page,
		},
	}
}

func (a *API) fullProject(s Anyone, p store.Project, access store.ProjectAccess, x projectExtras) (projectView, error) {
	as := who(s.Caller, access.Level(), false)
	on := onProject(store.FoundProject{Project: p})
	can := func(ability policy.Ability) bool { return policy.Can(as, ability, on) }
	c := p.Settings
	v := projectView{
		simpleProject: a.simpleProject(p), Visibility: p.Visibility, Archived: p.Archived, EmptyRepo: p.CommitCount == 0,
		CreatorID: p.CreatorID, MarkedForDeletionOn: p.MarkedForDeletionOn, MarkedForDeletionAt: p.MarkedForDeletionOn,
		ImportStatus: "none", SharedWithGroups: []struct{}{}, ComplianceFrame: []string{},

		projectSettings: projectSettings(c),
		IssuesEnabled:   isOn(c.IssuesAccess), MergeRequestsEnabled: isOn(c.MergeRequestsAccess), WikiEnabled: isOn(c.WikiAccess),
		JobsEnabled: isOn(c.BuildsAccess), SnippetsEnabled: isOn(c.SnippetsAccess), ContainerRegistryEnabled: isOn(c.ContainerAccess),
		RequirementsEnabled: isOn(c.RequirementsAccess), SecurityEnabled: isOn(c.SecurityAccess), EmailsDisabled: !c.EmailsEnabled,
		CanCreateMergeRequestIn: can(policy.PushCode),

		Permissions: projectPermissions{permission(access.Project), permission(access.Group)},
	}
	at := a.web("api/v4/projects/" + strconv.FormatInt(p.ID, 10))
	v.Links = projectLinks{Self: at, Labels: at + "/labels", Events: at + "/events", Members: at + "/members", ClusterAgents: at + "/cluster_agents"}
	part := func(ability policy.Ability, path string) *string {
		if !can(ability) {
			return nil
		}
		path = at + path
		return &path
	}
	v.Links.Issues = part(policy.ReadIssue, "/issues")
	v.Links.MergeRequests = part(policy.ReadMergeRequest, "/merge_requests")
	v.Links.RepoBranches = part(policy.ReadCode, "/repository/branches")
	if v.Links.Issues != nil {
		v.OpenIssuesCount = &p.OpenIssuesCount
	}
	if p.NamespaceOwnerID != nil && p.OwnerUsername != nil {
		owner := a.basicUser(store.User{
			ID: *p.NamespaceOwnerID, Username: *p.OwnerUsername, Name: *p.OwnerName, State: *p.OwnerState, Avatar: p.OwnerAvatar,
		})
		v.Owner = &owner
	}
	if x.Statistics && (as.Admin || access.Level() >= int(policy.Reporter)) {
		v.Statistics = statisticsOf(p)
	}
	if x.Attributes && as.Admin {
		v.CustomAttributes = attributesOf(p.CustomAttributes)
	}
	if x.License {
		v.projectLicense = &projectLicense{}
	}
	var err error
	if can(policy.AdminProject) {
		v.RunnersToken, err = s.Store.ProjectRunnersToken(p)
	}
	return v, err
}

func isOn(access string) bool { return access != "disabled" }

func permission(level int) *projectPermission {
	if level == 0 {
		return nil
	}
	return &projectPermission{AccessLevel: level, NotificationLevel: 3}
}

func statisticsOf(p store.Project) *projectStatistics {
	return &projectStatistics{
		CommitCount: p.CommitCount, StorageSize: p.RepositorySize + p.WikiSize + p.PackagesSize + p.JobArtifactsSize,
		RepositorySize: p.RepositorySize, WikiSize: p.WikiSize, JobArtifactsSize: p.JobArtifactsSize, PackagesSize: p.PackagesSize,
	}
}

// host is where clients find the server, without port.
func (a *API) host() string {
	_, host, _ := strings.Cut(a.Base, "://")
	host, _, _ = strings.Cut(host, "/")
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	return host
}
