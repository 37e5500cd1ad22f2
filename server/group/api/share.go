package api

import (
	"context"
	"slices"
	"time"

	"hew/server/db"
	"hew/server/group"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// shares are invitations of groups into other groups and into projects (spec 2 §4.5, gaps §3.2 and
// §4.2).
type shares struct{ *view.Site }

func (a shares) routes() []rest.Route {
	read, group, project := scope.ForGroup(policy.ReadGroup), scope.ForGroup(adminGroupMember),
		scope.ForProject(adminProjectMember)
	return []rest.Route{
		rest.Post("/groups/{id}/share", scope.ForGroup(shareGroup), a.shareGroup).Status(200),
		rest.Delete("/groups/{id}/share/{group_id}", scope.As(group, rosterOfGroup), a.delete),
		rest.Post("/projects/{id}/share", project, a.shareProject),
		rest.Delete("/projects/{id}/share/{group_id}", scope.As(project, rosterOfProject), a.delete),
		rest.Get("/groups/{id}/groups/shared", read, a.listHosts),
		rest.Get("/groups/{id}/invited_groups", read, a.listGuests),
	}
}

type shareNew struct {
	GroupID     int64     `param:"group_id,required"`
	GroupAccess int       `param:"group_access,required" oneof:"10 15 20 30 40 50"`
	ExpiresAt   time.Time `param:"expires_at,date"`
	MemberRole  *int64    `param:"member_role_id"`
}

// share invites a group. One that the caller may not see is not found.
func (a shares) share(ctx context.Context, r roster, in shareNew) (int64, error) {
	guest, err := r.InGroup(ctx, in.GroupID, policy.ReadGroup)
	if err != nil {
		return 0, err
	}
	role := group.Role{Level: in.GroupAccess, ExpiresAt: db.DateOf(in.ExpiresAt), CustomID: in.MemberRole}
	return group.CreateShare(ctx, r.Store, r.Roster, guest.Group.Group, role)
}

func (a shares) shareGroup(ctx context.Context, g scope.InGroup, in shareNew) (GroupDetail, error) {
	if _, err := a.share(ctx, rosterOfGroup(g), in); err != nil {
		return GroupDetail{}, err
	}
	g.Group.Host = true // since now
	return wholeGroup(ctx, a.Site, g)
}

type projectShare struct {
	ID          int64    `json:"id"`
	ProjectID   int64    `json:"project_id"`
	GroupID     int64    `json:"group_id"`
	GroupAccess int      `json:"group_access"`
	ExpiresAt   *db.Date `json:"expires_at"`
}

func (a shares) shareProject(ctx context.Context, p scope.InProject, in shareNew) (projectShare, error) {
	id, err := a.share(ctx, rosterOfProject(p), in)
	return projectShare{
		ID: id, ProjectID: p.Project.ID, GroupID: in.GroupID, GroupAccess: in.GroupAccess,
		ExpiresAt: db.DateOf(in.ExpiresAt),
	}, err
}

type shareID struct {
	GroupID int64 `param:"group_id"`
}

func (shares) delete(ctx context.Context, r roster, in shareID) (rest.None, error) {
	return rest.None{}, group.DeleteShare(ctx, r.Store, r.Roster, in.GroupID)
}

// listHosts lists the groups that the group is invited into.
func (a shares) listHosts(ctx context.Context, g scope.InGroup, in groupListBelow) (rest.List[groupView], error) {
	f := in.visible(g.Caller)
	f.GuestOf = g.Group.ID
	return groups(a).listBelow(ctx, g, in, f)
}

type guestList struct {
	groupListBelow
	Relation []string `param:"relation,comma" oneof:"direct inherited"` // default: both
}

// into returns the groups whose guests are listed: the group, those above it, or both.
func (in guestList) into(g tree.Group) []int64 {
	direct := len(g.TraversalIDs) - 1
	switch all := len(in.Relation) == 0; {
	case all || slices.Contains(in.Relation, "direct") && slices.Contains(in.Relation, "inherited"):
		return g.TraversalIDs
	case slices.Contains(in.Relation, "direct"):
		return g.TraversalIDs[direct:]
	}
	return g.TraversalIDs[:direct]
}

// listGuests lists the groups that are invited into the group or into one above it.
func (a shares) listGuests(ctx context.Context, g scope.InGroup, in guestList) (rest.List[groupView], error) {
	f := in.visible(g.Caller)
	f.Hosts = in.into(g.Group.Group)
	return groups(a).listBelow(ctx, g, in.groupListBelow, f)
}
