package api

import (
	"context"
	"strconv"
	"strings"

	"hew/server/policy"
	"hew/server/store"
)

// projectExtras is what a request wants to see of a project.
type projectExtras struct {
	Simple     bool `param:"simple"`
	License    bool `param:"license"`
	Statistics bool `param:"statistics"`
	Attributes bool `param:"with_custom_attributes"`
}

// projectView shows one project as its caller may see it.
func (a *Site) projectView(ctx context.Context, s Anyone, p store.Project, x projectExtras) (projectView, error) {
	views, err := a.projectViews(ctx, s, []store.Project{p}, x)
	if err != nil {
		return projectView{}, err
	}
	return views[0], nil
}

// projectViews shows a page of projects: what the caller is in each of them is one query for all, and
// whom they are shared with is another.
func (a *Site) projectViews(ctx context.Context, s Anyone, projects []store.Project, x projectExtras) ([]projectView, error) {
	views := make([]projectView, len(projects))
	for i, p := range projects {
		views[i].simpleProject = a.simpleProject(p)
	}
	if x.Simple || !s.Caller.Signed() {
		return views, nil
	}
	access, err := s.Store.ProjectAccess(ctx, projects, s.Caller.ID())
	if err != nil {
		return nil, err
	}
	shares, err := s.Store.ProjectShares(ctx, projects, s.viewer())
	if err != nil {
		return nil, err
	}
	for i, p := range projects {
		if views[i].projectDetails, err = a.projectDetails(s, p, access[p.ID], shares[p.ID], x); err != nil {
			return nil, err
		}
	}
	return views, nil
}

// changedProject shows a project after what the caller did to it.
func (a *Site) changedProject(ctx context.Context, s Anyone) func(store.Project, error) (projectView, error) {
	return func(p store.Project, err error) (projectView, error) {
		if err != nil {
			return projectView{}, err
		}
		return a.projectView(ctx, s, p, projectExtras{})
	}
}

func (a *Site) simpleProject(p store.Project) simpleProject {
	page := a.web(p.NamespaceFullPath)
	if p.NamespaceKind == "group" {
		page = a.web("groups/" + p.NamespaceFullPath)
	}
	return simpleProject{
		ID: p.ID, Description: p.Description, Name: p.Name, NameWithNamespace: p.NamespaceFullName + " / " + p.Name,
		Path: p.Path, PathWithNamespace: p.FullPath, CreatedAt: p.CreatedAt, DefaultBranch: p.Head, TagList: p.Topics,
		Topics: p.Topics, SSHURL: "git@" + a.host() + ":" + p.FullPath + ".git", HTTPURL: a.web(p.FullPath) + ".git",
		WebURL: a.web(p.FullPath), ForksCount: p.ForksCount, AvatarURL: a.picture(p.Avatar), StarCount: p.StarCount,
		LastActivityAt: p.LastActivityAt,
		Namespace: projectNamespace{
			ID: p.NamespaceID, Name: p.NamespaceName, Path: p.NamespacePath, Kind: p.NamespaceKind,
			FullPath: p.NamespaceFullPath, ParentID: p.NamespaceParentID, AvatarURL: a.picture(p.NamespaceAvatar), WebURL: page,
		},
	}
}

func (a *Site) projectDetails(
	s Anyone, p store.Project, access store.ProjectAccess, shares []store.Share, x projectExtras,
) (*projectDetails, error) {
	as := who(s.Caller, access.Level())
	on := onProject(store.FoundProject{Project: p})
	can := func(ability policy.Ability) bool { return policy.Can(as, ability, on) }
	c := p.Settings
	v := &projectDetails{
		Visibility: p.Visibility, Archived: p.Archived, EmptyRepo: p.CommitCount == 0,
		CreatorID: p.CreatorID, MarkedForDeletionOn: p.MarkedForDeletionOn, MarkedForDeletionAt: p.MarkedForDeletionOn,
		ImportStatus: "none", SharedWithGroups: sharedWith(shares, can(policy.AdminProject)), ComplianceFrame: []string{},

		projectSettings: projectSettings(c),
		IssuesEnabled:   isOn(c.IssuesAccess), MergeRequestsEnabled: isOn(c.MergeRequestsAccess), WikiEnabled: isOn(c.WikiAccess),
		JobsEnabled: isOn(c.BuildsAccess), SnippetsEnabled: isOn(c.SnippetsAccess), ContainerRegistryEnabled: isOn(c.ContainerAccess),
		RequirementsEnabled: isOn(c.RequirementsAccess), SecurityEnabled: isOn(c.SecurityAccess), EmailsDisabled: !c.EmailsEnabled,
		CanCreateMergeRequestIn: can(policy.PushCode),

		Permissions: projectPermissions{permission(access.Project), permission(access.Group)},
	}
	at := a.web("api/v4/projects/" + strconv.FormatInt(p.ID, 10))
	v.Links = projectLinks{
		Self: at, Labels: at + "/labels", Events: at + "/events", Members: at + "/members", ClusterAgents: at + "/cluster_agents",
	}
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
	v.Owner = a.author(p.Owner)
	if x.Statistics && (as.Admin || access.Level() >= int(policy.Reporter)) {
		v.Statistics = statisticsOf(p)
	}
	if x.Attributes && as.Admin {
		v.CustomAttributes = customAttributesOf(p.CustomAttributes)
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
func (a *Site) host() string {
	_, host, _ := strings.Cut(a.Base, "://")
	host, _, _ = strings.Cut(host, "/")
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	return host
}
