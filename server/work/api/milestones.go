package api

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
	"hew/server/work"
)

// milestones serves the milestones of groups and projects (gaps §6.4).
type milestones struct{ *view.Site }

func (a milestones) routes() []rest.Route {
	return slices.Concat(
		a.at("/groups/{id}/milestones",
			scope.HeldByGroup(ReadGroupMilestone), scope.HeldByGroup(adminGroupMilestone)),
		a.at("/projects/{id}/milestones",
			scope.HeldByProject(policy.ReadProject), scope.HeldByProject(adminMilestone)),
		[]rest.Route{
			rest.Post("/projects/{id}/milestones/{milestone_id}/promote", scope.ForProject(adminMilestone), a.promote),
		},
	)
}

// at returns the routes of milestones under a path.
func (a milestones) at(path string, read, admin rest.Guard[scope.Container]) []rest.Route {
	one := path + "/{milestone_id}"
	return []rest.Route{
		rest.Get(path, read, a.list),
		rest.Get(one, read, a.show),
		rest.Post(path, admin, a.create),
		rest.Put(one, admin, a.update),
		rest.Delete(one, admin, a.delete),
		rest.Get(one+"/issues", read, a.issues),
		rest.Get(one+"/burndown_events", read, a.burndown),
	}
}

type milestoneView struct {
	work.Milestone
	GroupID   *int64 `json:"group_id,omitempty"`
	ProjectID *int64 `json:"project_id,omitempty"`
	Expired   bool   `json:"expired"`
	WebURL    string `json:"web_url"`
}

// MilestoneView is a milestone as other parts show it beside what they keep.
type MilestoneView = milestoneView

// ViewMilestone returns how a milestone is shown.
func ViewMilestone(site *view.Site, m work.Milestone) MilestoneView { return milestones{site}.view(m) }

func (a milestones) view(m work.Milestone) milestoneView {
	space := m.Path
	if m.NamespaceID != nil {
		space = "groups/" + space
	}
	return milestoneView{
		Milestone: m, GroupID: m.NamespaceID, ProjectID: m.ProjectID,
		Expired: m.State == "active" && m.DueDate != nil && m.DueDate.Before(db.Today().Time),
		WebURL:  a.Web(fmt.Sprintf("%s/-/milestones/%d", space, m.IID)),
	}
}

type milestoneList struct {
	rest.Paging
	IIDs          []int      `param:"iids,comma"`
	State         string     `param:"state" oneof:"active closed"`
	Title         string     `param:"title"`
	Search        string     `param:"search"`
	Above         bool       `param:"include_ancestors,alias=include_parent_milestones"`
	UpdatedAfter  *time.Time `param:"updated_after"`
	UpdatedBefore *time.Time `param:"updated_before"`
}

func (a milestones) list(ctx context.Context, s scope.Container, in milestoneList) (rest.List[milestoneView], error) {
	f := work.MilestoneFilter{
		Above: in.Above, IIDs: in.IIDs, State: in.State, Title: in.Title, Search: in.Search,
		UpdatedAfter: in.UpdatedAfter, UpdatedBefore: in.UpdatedBefore,
	}
	return rest.Pages(a.view)(work.ListMilestones(ctx, s.Store, s.Container, f, scope.PageOf(in.Paging)))
}

type milestoneID struct {
	MilestoneID int64 `param:"milestone_id"`
}

func (a milestones) show(ctx context.Context, s scope.Container, in milestoneID) (milestoneView, error) {
	return rest.Show(a.view)(work.Milestones(s.Store, s.Container).One(ctx, db.ByID(in.MilestoneID)))
}

// milestoneFields holds the fields that both creation and update accept.
type milestoneFields struct {
	Description rest.Opt[*string]   `param:"description"`
	StartDate   rest.Opt[time.Time] `param:"start_date,date"`
	DueDate     rest.Opt[time.Time] `param:"due_date,date"`
}

func (in milestoneFields) into(m *work.Milestone) error {
	in.Description.Into(&m.Description)
	if in.StartDate.Given() {
		m.StartDate = db.DateOf(in.StartDate.Or(time.Time{}))
	}
	if in.DueDate.Given() {
		m.DueDate = db.DateOf(in.DueDate.Or(time.Time{}))
	}
	return nil
}

type milestoneNew struct {
	Title string `param:"title,required"`
	milestoneFields
}

func (in milestoneNew) into(m *work.Milestone) error {
	m.Title = in.Title
	return in.milestoneFields.into(m)
}

func (a milestones) create(ctx context.Context, s scope.Container, in milestoneNew) (milestoneView, error) {
	return rest.Show(a.view)(work.CreateMilestone(ctx, s.Store, s.Container, s.Caller.User, in.into))
}

type milestoneChange struct {
	milestoneID
	Title rest.Opt[string] `param:"title"`
	Event string           `param:"state_event" oneof:"close activate"`
	milestoneFields
	_ struct{} `atleast:"title description start_date due_date state_event"`
}

// states maps a state_event to the state it leads to.
var states = map[string]string{"close": "closed", "activate": "active"}

func (in milestoneChange) into(m *work.Milestone) error {
	m.Title = in.Title.Or(m.Title)
	if state, ok := states[in.Event]; ok {
		m.State = state
	}
	return in.milestoneFields.into(m)
}

func (a milestones) update(ctx context.Context, s scope.Container, in milestoneChange) (milestoneView, error) {
	return rest.Show(a.view)(work.ChangeMilestone(ctx, s.Store, s.Container, s.Caller.User, in.MilestoneID, in.into))
}

func (milestones) delete(ctx context.Context, s scope.Container, in milestoneID) (rest.None, error) {
	return rest.None{}, work.DeleteMilestone(ctx, s.Store, s.Container, s.Caller.User, in.MilestoneID, rest.Unmodified)
}

type milestoneContents struct {
	rest.Paging
	milestoneID
}

// issues lists the issues of a milestone that the caller sees.
func (a milestones) issues(
	ctx context.Context, s scope.Container, in milestoneContents,
) (rest.List[issueView], error) {
	m, err := a.show(ctx, s, in.milestoneID)
	if err != nil {
		return rest.List[issueView]{}, err
	}
	page := scope.PageOf(in.Paging)
	page.Order, page.Desc = "created_at", true
	f := work.IssueFilter{Viewer: ViewerOf(s.Anyone), MilestoneID: &in.MilestoneID}
	list, total, err := work.ListIssues(ctx, s.Store, f, page)
	if err != nil {
		return rest.List[issueView]{}, err
	}
	views, err := issueViews{Site: a.Site, from: m.Path}.of(ctx, s.Anyone, list)
	return rest.Page(views, total, err)
}

// burndown lists what moved the number of open issues of a milestone.
func (a milestones) burndown(
	ctx context.Context, s scope.Container, in milestoneContents,
) (rest.List[work.BurndownEvent], error) {
	if _, err := a.show(ctx, s, in.milestoneID); err != nil {
		return rest.List[work.BurndownEvent]{}, err
	}
	return rest.Page(work.Burndown(ctx, s.Store, ViewerOf(s.Anyone), in.MilestoneID, scope.PageOf(in.Paging)))
}

// promote moves a milestone of a project to its group. The caller needs the right to make
// milestones there.
func (a milestones) promote(ctx context.Context, s scope.InProject, in milestoneID) (milestoneView, error) {
	if !s.CanAround(adminGroupMilestone) {
		return milestoneView{}, fault.Forbidden("")
	}
	return rest.Show(a.view)(work.PromoteMilestone(ctx, s.Store, s.Project.Project, in.MilestoneID))
}
