package api

import (
	"context"
	"strconv"
	"time"

	"hew/server/group"
	groupapi "hew/server/group/api"
	"hew/server/policy"
	"hew/server/project"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// projectExtras are the parameters that select parts of a view.
type projectExtras struct {
	Simple     bool `param:"simple"`
	License    bool `param:"license"`
	Statistics bool `param:"statistics"`
	Attributes bool `param:"with_custom_attributes"`
}

// foundProjectView returns the view of a project for the caller for whom it was found.
func foundProjectView(
	ctx context.Context, a *view.Site, s scope.Anyone, p tree.FoundProject, x projectExtras,
) (v projectView, err error) {
	v.SimpleProject = a.SimpleProject(p.Project)
	if x.Simple || !s.Caller.Signed() {
		return v, nil
	}
	var shares map[int64][]group.Share
	if p.Host {
		if shares, err = group.ProjectShares(ctx, s.Store, []tree.Project{p.Project}, s.Viewer()); err != nil {
			return projectView{}, err
		}
	}
	parents, err := parentsOf(ctx, a, s, []tree.Project{p.Project})
	if err != nil {
		return projectView{}, err
	}
	v.projectDetails, err = projectDetailsOf(a, s, p.Project, project.AccessOf(p), shares[p.ID], x)
	v.addParent(p.Project, parents)
	return v, err
}

// projectViewOf returns the view of a project for the caller.
func projectViewOf(
	ctx context.Context, a *view.Site, s scope.Anyone, p tree.Project, x projectExtras,
) (projectView, error) {
	views, err := projectViewsOf(ctx, a, s, []tree.Project{p}, x)
	if err != nil {
		return projectView{}, err
	}
	return views[0], nil
}

// projectViewsOf shows a page of projects: what the caller is in each of them is one query for all,
// and whom they are shared with is another.
func projectViewsOf(
	ctx context.Context, a *view.Site, s scope.Anyone, projects []tree.Project, x projectExtras,
) ([]projectView, error) {
	views := make([]projectView, len(projects))
	for i, p := range projects {
		views[i].SimpleProject = a.SimpleProject(p)
	}
	if x.Simple || !s.Caller.Signed() {
		return views, nil
	}
	access, err := project.AccessTo(ctx, s.Store, projects, s.Caller.ID())
	if err != nil {
		return nil, err
	}
	shares, err := group.ProjectShares(ctx, s.Store, projects, s.Viewer())
	if err != nil {
		return nil, err
	}
	parents, err := parentsOf(ctx, a, s, projects)
	if err != nil {
		return nil, err
	}
	for i, p := range projects {
		if views[i].projectDetails, err = projectDetailsOf(a, s, p, access[p.ID], shares[p.ID], x); err != nil {
			return nil, err
		}
		views[i].addParent(p, parents)
	}
	return views, nil
}

// addParent adds what a fork was forked from.
func (v projectView) addParent(p tree.Project, parents map[int64]*view.SimpleProject) {
	if p.ForkedFromID != nil && v.projectDetails != nil {
		v.ForkedFrom = parents[*p.ForkedFromID]
	}
}

// changedProject returns a function that returns the view of a project after a change.
func changedProject(ctx context.Context, a *view.Site, s scope.Anyone) func(tree.Project, error) (projectView, error) {
	return func(p tree.Project, err error) (projectView, error) {
		if err != nil {
			return projectView{}, err
		}
		return projectViewOf(ctx, a, s, p, projectExtras{})
	}
}

func projectDetailsOf(a *view.Site,
	s scope.Anyone, p tree.Project, access project.ProjectAccess, shares []group.Share, x projectExtras,
) (*projectDetails, error) {
	as := scope.Who(s.Caller, access.Level())
	on := tree.FoundProject{Project: p}.On()
	can := func(ability policy.Ability) bool { return policy.Can(as, ability, on) }
	c := p.Settings
	v := &projectDetails{
		Visibility: p.Visibility, Archived: p.Archived, EmptyRepo: p.Empty,
		CreatorID: p.CreatorID, MarkedForDeletionOn: p.MarkedForDeletionOn, MarkedForDeletionAt: p.MarkedForDeletionOn,
		importState: importStateOf(p, can(adminProject)), SharedWithGroups: groupapi.SharedWith(shares, can(adminProject)),
		ComplianceFrame: []string{},

		projectSettings: projectSettings(c),
		Expiration: expirationView{
			c.ContainerExpirationPolicy, c.ContainerExpirationPolicy.NextRun(p.CreatedAt, time.Now()).UTC(),
		},
		IssuesEnabled: isOn(c.IssuesAccess), MergeRequestsEnabled: isOn(c.MergeRequestsAccess),
		WikiEnabled: isOn(c.WikiAccess),
		JobsEnabled: isOn(c.BuildsAccess), SnippetsEnabled: isOn(c.SnippetsAccess),
		ContainerRegistryEnabled: isOn(c.ContainerAccess),
		RequirementsEnabled:      isOn(c.RequirementsAccess), SecurityEnabled: isOn(c.SecurityAccess),
		EmailsDisabled:          !c.EmailsEnabled,
		CanCreateMergeRequestIn: can(policy.PushCode),

		Permissions: projectPermissions{permission(access.Project), permission(access.Group)},
	}
	at := a.Web("api/v4/projects/" + strconv.FormatInt(p.ID, 10))
	v.Links = projectLinks{
		Self: at, Labels: at + "/labels", Events: at + "/events", Members: at + "/members",
		ClusterAgents: at + "/cluster_agents",
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
		open := p.OpenIssuesCount
		if !as.Admin && as.Level < policy.Planner { // who sees no confidential issues of others
			open -= p.SecretIssues
		}
		v.OpenIssuesCount = &open
	}
	v.Owner = a.Author(p.Owner)
	if x.Statistics && (as.Admin || access.Level() >= int(policy.Reporter)) {
		v.Statistics = statisticsOf(p)
	}
	if x.Attributes && as.Admin {
		v.CustomAttributes = view.CustomAttributesOf(p.CustomAttributes)
	}
	if x.License {
		v.projectLicense = &projectLicense{}
	}
	var err error
	if can(adminProject) {
		v.ImportURL = p.ImportURL
		v.RunnersToken, err = tree.ProjectRegistrationToken(s.Store, p)
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

func statisticsOf(p tree.Project) *projectStatistics {
	return &projectStatistics{
		CommitCount: p.CommitCount,
		StorageSize: p.RepositorySize + p.WikiSize + p.PackagesSize + p.JobArtifactsSize + p.UploadsSize +
			p.SnippetsSize,
		RepositorySize: p.RepositorySize, WikiSize: p.WikiSize, JobArtifactsSize: p.JobArtifactsSize,
		PackagesSize: p.PackagesSize, UploadsSize: p.UploadsSize, SnippetsSize: p.SnippetsSize,
	}
}
