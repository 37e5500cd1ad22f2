package api

import (
	"context"
	"time"

	"hew/server/auth"
	"hew/server/db"
	"hew/server/group"
	"hew/server/policy"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// groupView is a group in lists. GroupDetail is a single group, with a part for owners (spec 2
// §2.7, gaps §3.1).
type groupView struct {
	ID          int64         `json:"id"`
	WebURL      string        `json:"web_url"`
	Name        string        `json:"name"`
	Path        string        `json:"path"`
	Description string        `json:"description"`
	Visibility  db.Visibility `json:"visibility"`
	tree.GroupFlags
	EmailsDisabled      bool                   `json:"emails_disabled"`
	AvatarURL           *string                `json:"avatar_url"`
	FullName            string                 `json:"full_name"`
	FullPath            string                 `json:"full_path"`
	CreatedAt           time.Time              `json:"created_at"`
	ParentID            *int64                 `json:"parent_id"`
	OrganizationID      int64                  `json:"organization_id"`
	MarkedForDeletionOn *db.Date               `json:"marked_for_deletion_on"`
	IPRestrictionRanges **string               `json:"ip_restriction_ranges,omitempty"` // for owners; else nil
	Statistics          *group.GroupStatistics `json:"statistics,omitempty"`
	CustomAttributes    []view.CustomAttribute `json:"custom_attributes,omitzero"`
}

// GroupDetail is a single group.
type GroupDetail struct {
	groupView
	tree.GroupDetails
	SharedWithGroups []GroupShare `json:"shared_with_groups"`
	*ownedGroup
	Projects       []view.SimpleProject `json:"projects,omitzero"` // at most 100, as the following
	SharedProjects []view.SimpleProject `json:"shared_projects,omitzero"`
}

// ownedGroup is what only owners see.
type ownedGroup struct {
	tree.GroupLimits
	RunnersToken string `json:"runners_token"`
	// of a top-level group: of all that is below
	RootStorageStatistics *group.GroupStatistics `json:"root_storage_statistics,omitempty"`
}

// GroupShare is a group that another group, or a project, is shared with.
type GroupShare struct {
	GroupID          int64    `json:"group_id"`
	GroupName        string   `json:"group_name"`
	GroupFullPath    string   `json:"group_full_path"`
	GroupAccessLevel int      `json:"group_access_level"`
	ExpiresAt        *db.Date `json:"expires_at"`
}

// SharedWith returns the views of shares with groups that the caller may see, or of all shares for
// those who manage them.
func SharedWith(shares []group.Share, manager bool) []GroupShare {
	views := []GroupShare{}
	for _, s := range shares {
		if s.Seen || manager {
			views = append(views, GroupShare{
				GroupID: s.GroupID, GroupName: s.GroupName, GroupFullPath: s.GroupFullPath,
				GroupAccessLevel: s.GroupAccess, ExpiresAt: s.ExpiresAt,
			})
		}
	}
	return views
}

// organization is the id of the only organization.
const organization = 1

// GroupViewOf returns the view of a group in lists.
func GroupViewOf(a *view.Site, g tree.Group) groupView {
	return groupView{
		ID: g.ID, WebURL: a.Web("groups/" + g.FullPath), Name: g.Name, Path: g.Path, Description: g.Description,
		Visibility: g.Visibility, GroupFlags: g.Settings.GroupFlags, EmailsDisabled: !g.Settings.EmailsEnabled,
		AvatarURL: a.Picture(g.Avatar), FullName: g.FullName, FullPath: g.FullPath, CreatedAt: g.CreatedAt,
		ParentID:       g.ParentID,
		OrganizationID: organization, MarkedForDeletionOn: g.MarkedForDeletionOn,
	}
}

// groupsView returns a function that returns the view of a group in the answer to a list.
func groupsView(a *view.Site, c auth.Caller, in groupFilters) func(group.ListedGroup) groupView {
	return func(g group.ListedGroup) groupView {
		v := GroupViewOf(a, g.Group)
		v.Statistics = g.Statistics
		if g.Owned || c.Admin() {
			v.IPRestrictionRanges = &g.Settings.IPRestrictionRanges
		}
		if in.WithCustomAttributes && c.Admin() {
			v.CustomAttributes = view.CustomAttributesOf(g.CustomAttributes)
		}
		return v
	}
}

// wholeGroup returns the view of a group with its projects.
func wholeGroup(ctx context.Context, a *view.Site, g scope.InGroup) (GroupDetail, error) {
	return groupDetailOf(ctx, a, g, new(scope.OpenTo(g.Caller)))
}

// groupDetailOf returns the view of a group for the caller. It has the projects that are at least
// as visible as open or have the caller as a member; without open it has none.
func groupDetailOf(ctx context.Context, a *view.Site, g scope.InGroup, open *db.Visibility) (GroupDetail, error) {
	v := GroupDetail{
		groupView: GroupViewOf(a, g.Group.Group), GroupDetails: g.Group.Settings.GroupDetails,
	}
	company, err := group.FindRelated(ctx, g.Store, g.Group, g.Viewer(), open)
	if err != nil {
		return v, err
	}
	owned := g.Can(adminGroup)
	v.SharedWithGroups = SharedWith(company.Shares, owned)
	if open != nil {
		v.Projects, v.SharedProjects = simpleProjects(a, company.Projects), simpleProjects(a, company.Shared)
	}
	if !owned {
		return v, nil
	}
	token, err := tree.GroupRegistrationToken(g.Store, g.Group.Group)
	if err != nil {
		return v, err
	}
	v.IPRestrictionRanges = &g.Group.Settings.IPRestrictionRanges
	v.ownedGroup = &ownedGroup{GroupLimits: g.Group.Settings.GroupLimits, RunnersToken: token}
	if g.Group.ParentID == nil {
		v.RootStorageStatistics, err = group.StorageBelow(ctx, g.Store, g.Group.ID)
	}
	return v, err
}

// ChangedGroup returns the view of a group after a change, which may have changed the caller's
// level.
func ChangedGroup(ctx context.Context, a *view.Site, s scope.Anyone, changed tree.Group) (GroupDetail, error) {
	g, err := s.InGroup(ctx, changed.ID, policy.ReadGroup)
	if err != nil {
		return GroupDetail{}, err
	}
	return wholeGroup(ctx, a, g)
}

func simpleProjects(a *view.Site, projects []tree.Project) []view.SimpleProject {
	views := make([]view.SimpleProject, len(projects))
	for i, p := range projects {
		views[i] = a.SimpleProject(p)
	}
	return views
}
