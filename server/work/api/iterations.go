package api

import (
	"context"
	"fmt"
	"time"

	"hew/server/db"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
	"hew/server/work"
)

// iterations serves the iterations of groups. Making and changing them is an addition of this
// server: the public API only lists them.
type iterations struct{ *view.Site }

func (a iterations) routes() []rest.Route {
	const path, one = "/groups/{id}/iterations", "/groups/{id}/iterations/{iteration_id}"
	return []rest.Route{
		rest.Get(path, scope.ForGroup(readIteration), a.inGroup),
		rest.Get("/projects/{id}/iterations", scope.ForProject(policy.ReadIssue), a.inProject),
		rest.Post(path, scope.ForGroup(adminIteration), a.create),
		rest.Put(one, scope.ForGroup(adminIteration), a.update),
		rest.Delete(one, scope.ForGroup(adminIteration), a.delete),
	}
}

// iterationView is an iteration as answers show it (spec 2 §2.3).
type iterationView struct {
	ID          int64     `json:"id"`
	IID         int       `json:"iid"`
	Sequence    int       `json:"sequence"`
	GroupID     int64     `json:"group_id"`
	Title       *string   `json:"title"`
	Description *string   `json:"description"`
	State       int       `json:"state"`
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
	StartDate   db.Date   `json:"start_date"`
	DueDate     db.Date   `json:"due_date"`
	WebURL      string    `json:"web_url"`
}

func iterationViewOf(site *view.Site, i work.Iteration) iterationView {
	return iterationView{
		ID: i.ID, IID: i.IID, Sequence: i.IID, GroupID: i.NamespaceID, Title: i.Title, Description: i.Description,
		State: i.State(), CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt, StartDate: i.StartDate, DueDate: i.DueDate,
		WebURL: site.Web(fmt.Sprintf("groups/%s/-/iterations/%d", i.Path, i.ID)),
	}
}

type iterationList struct {
	rest.Paging
	State         string     `param:"state" default:"all" oneof:"opened upcoming current closed all"`
	Search        string     `param:"search"`
	In            []string   `param:"in,comma"` // title, cadence_title: there are no cadences
	Above         bool       `param:"include_ancestors" default:"true"`
	UpdatedAfter  *time.Time `param:"updated_after"`
	UpdatedBefore *time.Time `param:"updated_before"`
}

func (a iterations) inGroup(ctx context.Context, s scope.InGroup, in iterationList) (rest.List[iterationView], error) {
	return a.list(ctx, s.Anyone, s.Group.ID, in)
}

func (a iterations) inProject(
	ctx context.Context, s scope.InProject, in iterationList,
) (rest.List[iterationView], error) {
	return a.list(ctx, s.Anyone, s.Project.NamespaceID, in)
}

func (a iterations) list(
	ctx context.Context, s scope.Anyone, group int64, in iterationList,
) (rest.List[iterationView], error) {
	open := in.State == "opened"
	f := work.IterationFilter{
		Above: in.Above, Upcoming: open || in.State == "upcoming", Current: open || in.State == "current",
		Closed: in.State == "closed", Search: in.Search, UpdatedAfter: in.UpdatedAfter, UpdatedBefore: in.UpdatedBefore,
	}
	return rest.Pages(a.view)(work.ListIterations(ctx, s.Store, group, f, scope.PageOf(in.Paging)))
}

func (a iterations) view(i work.Iteration) iterationView { return iterationViewOf(a.Site, i) }

// iterationFields are the parameters that both create and change iterations.
type iterationFields struct {
	Title       rest.Opt[*string] `param:"title"`
	Description rest.Opt[*string] `param:"description"`
}

func (in iterationFields) into(i *work.Iteration) {
	in.Title.Into(&i.Title)
	in.Description.Into(&i.Description)
}

type iterationNew struct {
	iterationFields
	StartDate time.Time `param:"start_date,required,date"`
	DueDate   time.Time `param:"due_date,required,date"`
}

func (in iterationNew) into(i *work.Iteration) error {
	in.iterationFields.into(i)
	i.StartDate, i.DueDate = db.Date{Time: in.StartDate}, db.Date{Time: in.DueDate}
	return nil
}

func (a iterations) create(ctx context.Context, s scope.InGroup, in iterationNew) (iterationView, error) {
	return rest.Show(a.view)(work.CreateIteration(ctx, s.Store, s.Group.ID, in.into))
}

type iterationID struct {
	ID int64 `param:"iteration_id"`
}

type iterationChange struct {
	iterationID
	iterationFields
	StartDate rest.Opt[time.Time] `param:"start_date,date"`
	DueDate   rest.Opt[time.Time] `param:"due_date,date"`
	_         struct{}            `atleast:"title description start_date due_date"`
}

func (in iterationChange) into(i *work.Iteration) error {
	in.iterationFields.into(i)
	i.StartDate.Time, i.DueDate.Time = in.StartDate.Or(i.StartDate.Time), in.DueDate.Or(i.DueDate.Time)
	return nil
}

func (a iterations) update(ctx context.Context, s scope.InGroup, in iterationChange) (iterationView, error) {
	return rest.Show(a.view)(work.ChangeIteration(ctx, s.Store, s.Group.ID, in.ID, in.into))
}

func (iterations) delete(ctx context.Context, s scope.InGroup, in iterationID) (rest.None, error) {
	return rest.None{}, work.Iterations(s.Store, s.Group.ID).Delete(ctx, db.ByID(in.ID), rest.Unmodified)
}
