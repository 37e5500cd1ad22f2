package api

import (
	"context"
	"time"

	"hew/server/auth"
	"hew/server/policy"
	"hew/server/store"
)

// A group has two views: the one of lists, and the one where it is asked for alone, which contains the first and has a
// part for owners (spec 2 §2.7, gaps §3.1).
type groupView struct {
	ID          int64            `json:"id"`
	WebURL      string           `json:"web_url"`
	Name        string           `json:"name"`
	Path        string           `json:"path"`
	Description string           `json:"description"`
	Visibility  store.Visibility `json:"visibility"`
	store.GroupFlags
	EmailsDisabled      bool                   `json:"emails_disabled"`
	AvatarURL           *string                `json:"avatar_url"`
	FullName            string                 `json:"full_name"`
	FullPath            string                 `json:"full_path"`
	CreatedAt           time.Time              `json:"created_at"`
	ParentID            *int64                 `json:"parent_id"`
	OrganizationID      int64                  `json:"organization_id"`
	MarkedForDeletionOn *store.Date            `json:"marked_for_deletion_on"`
	Statistics          *store.GroupStatistics `json:"statistics,omitempty"`
	CustomAttributes    []customAttribute      `json:"custom_attributes,omitzero"`
}

type groupDetail struct {
	groupView
	store.GroupDetails
	SharedWithGroups []groupShare `json:"shared_with_groups"`
	*ownedGroup
	Projects       []simpleProject `json:"projects,omitzero"` // at most 100, as the following
	SharedProjects []simpleProject `json:"shared_projects,omitzero"`
}

// ownedGroup is what owners see beyond everybody else.
type ownedGroup struct {
	store.GroupLimits
	RunnersToken          string                 `json:"runners_token"`
	RootStorageStatistics *store.GroupStatistics `json:"root_storage_statistics,omitempty"` // of a top-level group: of all that is below
}

// groupShare is a group that another group, or a project, is shared with.
type groupShare struct {
	GroupID          int64       `json:"group_id"`
	GroupName        string      `json:"group_name"`
	GroupFullPath    string      `json:"group_full_path"`
	GroupAccessLevel int         `json:"group_access_level"`
	ExpiresAt        *store.Date `json:"expires_at"`
}

// sharedWith shows the shares with groups that the caller may know of; who manages them knows them all.
func sharedWith(shares []store.Share, manager bool) []groupShare {
	views := []groupShare{}
	for _, s := range shares {
		if s.Seen || manager {
			views = append(views, groupShare{
				GroupID: s.GroupID, GroupName: s.GroupName, GroupFullPath: s.GroupFullPath,
				GroupAccessLevel: s.GroupAccess, ExpiresAt: s.ExpiresAt,
			})
		}
	}
	return views
}

// organization is the one that all groups belong to.
const organization = 1

func (a *Site) groupView(g store.Group) groupView {
	return groupView{
		ID: g.ID, WebURL: a.web("groups/" + g.FullPath), Name: g.Name, Path: g.Path, Description: g.Description,
		Visibility: g.Visibility, GroupFlags: g.Settings.GroupFlags, EmailsDisabled: !g.Settings.EmailsEnabled,
		AvatarURL: a.picture(g.Avatar), FullName: g.FullName, FullPath: g.FullPath, CreatedAt: g.CreatedAt, ParentID: g.ParentID,
		OrganizationID: organization, MarkedForDeletionOn: g.MarkedForDeletionOn,
	}
}

// groupsView shows the groups of a list.
func (a *Site) groupsView(c auth.Caller, in groupFilters) func(store.ListedGroup) groupView {
	return func(g store.ListedGroup) groupView {
		v := a.groupView(g.Group)
		v.Statistics = g.Statistics
		if in.WithCustomAttributes && c.Admin() {
			v.CustomAttributes = customAttributesOf(g.CustomAttributes)
		}
		return v
	}
}

// wholeGroup shows a group with its projects.
func (a *Site) wholeGroup(ctx context.Context, g InGroup) (groupDetail, error) {
	return a.groupDetail(ctx, g, new(openTo(g.Caller)))
}

// groupDetail shows a group as its caller may see it. Its projects are those that are his or as visible as open; nil
// leaves them out.
func (a *Site) groupDetail(ctx context.Context, g InGroup, open *store.Visibility) (groupDetail, error) {
	v := groupDetail{
		groupView: a.groupView(g.Group.Group), GroupDetails: g.Group.Settings.GroupDetails,
	}
	company, err := g.Store.Company(ctx, g.Group, g.viewer(), open)
	if err != nil {
		return v, err
	}
	owned := g.Can(policy.AdminGroup)
	v.SharedWithGroups = sharedWith(company.Shares, owned)
	if open != nil {
		v.Projects, v.SharedProjects = a.simpleProjects(company.Projects), a.simpleProjects(company.Shared)
	}
	if !owned {
		return v, nil
	}
	token, err := g.Store.RunnersToken(g.Group.Group)
	if err != nil {
		return v, err
	}
	v.ownedGroup = &ownedGroup{GroupLimits: g.Group.Settings.GroupLimits, RunnersToken: token}
	if g.Group.ParentID == nil {
		v.RootStorageStatistics, err = g.Store.StorageBelow(ctx, g.Group.ID)
	}
	return v, err
}

// changedGroup shows a group as it is after what the caller did to it, which may have changed what he is there.
func (a *Site) changedGroup(ctx context.Context, s Anyone, changed store.Group) (groupDetail, error) {
	g, err := s.inGroup(ctx, changed.ID, policy.ReadGroup)
	if err != nil {
		return groupDetail{}, err
	}
	return a.wholeGroup(ctx, g)
}

func (a *Site) simpleProjects(projects []store.Project) []simpleProject {
	views := make([]simpleProject, len(projects))
	for i, p := range projects {
		views[i] = a.simpleProject(p)
	}
	return views
}
