package api

import (
	"context"
	"slices"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/setting"
	"hew/server/view"
	"hew/server/work"
)

// epics serves the epics of groups (spec 2 §4.4, gaps §8).
type epics struct{ *view.Site }

// epicPaths are the two spellings of the path of epics.
var epicPaths = []string{"/groups/{id}/epics", "/groups/{id}/-/epics"}

// epicRoutes returns the routes of epics and of what belongs to them, under both spellings.
func epicRoutes(site *view.Site) (routes []rest.Route) {
	for _, path := range epicPaths {
		one := path + "/{epic_iid}"
		routes = slices.Concat(routes,
			epics{site}.at(path), epicIssues{site}.at(one+"/issues"), epicChildren{site}.at(one+"/epics"),
			epicLinks{site}.at(one+"/related_epics"),
		)
	}
	return routes
}

func (a epics) at(path string) []rest.Route {
	one := path + "/{epic_iid}"
	return []rest.Route{
		rest.Get(path, forEpics(readEpic), a.list),
		rest.Get(one, ForEpic(readEpic), a.show),
		rest.Post(path, scope.Limited(setting.IssuesCreated, forEpics(adminEpic)), a.create),
		rest.Put(one, ForEpic(adminEpic), a.update),
		rest.Delete(one, ForEpic(deleteEpic), a.delete),
	}
}

// epicCriteria are the filters of lists of epics that can be negated.
type epicCriteria struct {
	AuthorID        *int64   `param:"author_id"`
	AuthorUsername  string   `param:"author_username"`
	Labels          []string `param:"labels,comma"`
	MyReactionEmoji string   `param:"my_reaction_emoji"`
	_               struct{} `exclusive:"author_id author_username"`
}

func (in epicCriteria) criteria() work.Criteria {
	c := work.Criteria{AuthorID: in.AuthorID, Author: in.AuthorUsername}
	c.Emoji, _ = ChoiceOf("my_reaction_emoji", in.MyReactionEmoji, ParseText)
	LabelsInto(&c, in.Labels)
	return c
}

type epicList struct {
	rest.Paging
	epicCriteria
	Not          epicCriteria `param:"not"`
	Confidential *bool        `param:"confidential"`
	Details      bool         `param:"with_labels_details"`
	OrderBy      string       `param:"order_by" default:"created_at" oneof:"created_at updated_at title"`
	Sort         string       `param:"sort" default:"desc" oneof:"asc desc"`
	Search       string       `param:"search"`
	State        string       `param:"state" default:"all" oneof:"opened closed all"`
	Times
	Above bool `param:"include_ancestor_groups"`
	Below bool `param:"include_descendant_groups" default:"true"`
}

func (a epics) list(ctx context.Context, s scope.InGroup, in epicList) (rest.List[epicView], error) {
	f := work.EpicFilter{
		Viewer: ViewerOf(s.Anyone), GroupID: s.Group.ID, Above: in.Above, Below: in.Below,
		Confidential: in.Confidential,
		Criteria:     in.criteria(), Not: in.Not.criteria(), Times: work.Times(in.Times), Search: in.Search,
	}
	if in.State != "all" {
		f.State = in.State
	}
	page := scope.PageOf(in.Paging)
	page.Order, page.Desc = in.OrderBy, in.Sort == "desc"
	return a.page(ctx, s, f, page, in.Details)
}

// page returns a page of the epics that a filter admits.
func (a epics) page(
	ctx context.Context, s scope.InGroup, f work.EpicFilter, page db.Page, details bool,
) (rest.List[epicView], error) {
	list, total, err := work.ListEpics(ctx, s.Store, f, page)
	if err != nil {
		return rest.List[epicView]{}, err
	}
	views, err := epicViews{Site: a.Site, from: s.Group.FullPath, details: details}.of(ctx, s.Anyone, list)
	return rest.Page(views, total, err)
}

// one returns the view of an epic of a group.
func (a epics) one(ctx context.Context, s scope.InGroup, e work.Epic) (epicView, error) {
	return epicViews{Site: a.Site, from: s.Group.FullPath}.one(ctx, s.Anyone, e)
}

func (a epics) show(ctx context.Context, s InEpic, _ rest.None) (epicView, error) {
	return a.one(ctx, s.InGroup, s.Epic)
}

// epicFields are the parameters that both create and change epics.
type epicFields struct {
	Description  rest.Opt[*string]   `param:"description"`
	Labels       rest.Opt[[]string]  `param:"labels,comma"`
	Color        rest.Opt[string]    `param:"color"`
	Confidential rest.Opt[bool]      `param:"confidential"`
	ParentID     rest.Opt[int64]     `param:"parent_id"` // 0: none
	StartIsFixed rest.Opt[bool]      `param:"start_date_is_fixed"`
	StartFixed   rest.Opt[time.Time] `param:"start_date_fixed,date,alias=start_date"`
	DueIsFixed   rest.Opt[bool]      `param:"due_date_is_fixed"`
	DueFixed     rest.Opt[time.Time] `param:"due_date_fixed,date,alias=end_date"`
}

// into sets the fields of an epic. A parent has to be one that the caller may edit.
func (in epicFields) into(ctx context.Context, s scope.InGroup, e *work.Epic) error {
	in.Description.Into(&e.Description)
	e.Color = in.Color.Or(e.Color)
	e.Confidential = in.Confidential.Or(e.Confidential)
	e.StartDateIsFixed, e.DueDateIsFixed = in.StartIsFixed.Or(e.StartDateIsFixed), in.DueIsFixed.Or(e.DueDateIsFixed)
	if in.StartFixed.Given() {
		e.StartDateFixed = db.DateOf(in.StartFixed.Or(time.Time{}))
	}
	if in.DueFixed.Given() {
		e.DueDateFixed = db.DateOf(in.DueFixed.Or(time.Time{}))
	}
	if !in.ParentID.Given() {
		return nil
	}
	if e.ParentID = db.NilIfZero(in.ParentID.Or(0)); e.ParentID == nil {
		return nil
	}
	_, err := otherEpic(ctx, s.Anyone, *e.ParentID, adminEpic)
	return err
}

type epicNew struct {
	Title     string              `param:"title,required"`
	CreatedAt rest.Opt[time.Time] `param:"created_at"`
	epicFields
}

func (a epics) create(ctx context.Context, s scope.InGroup, in epicNew) (epicView, error) {
	commands := in.commandsOf(a.Site, s)
	e, err := work.CreateEpic(ctx, s.Store, s.Group.Group, s.Caller.User, func(st *db.Store, e *work.Epic) error {
		e.Title = in.Title
		if s.Can(deleteEpic) { // owners and administrators
			e.CreatedAt = in.CreatedAt.Or(e.CreatedAt)
		}
		if err := in.into(ctx, s, e); err != nil {
			return err
		}
		if err := labelEpic(ctx, st, s, work.LabelChoice{Set: in.Labels.Or(nil)}, e); err != nil {
			return err
		}
		return commands.Edit(ctx, st, e)
	})
	if err != nil {
		return epicView{}, err
	}
	return a.finish(ctx, s, commands, e)
}

// labelEpic sets the labels of an epic, and makes those that do not exist.
func labelEpic(ctx context.Context, st *db.Store, s scope.InGroup, c work.LabelChoice, e *work.Epic) (err error) {
	e.LabelIDs, err = c.Apply(ctx, st, s.Group.Group.Container(), e.LabelIDs, s.Can(adminGroupLabel))
	return err
}

type epicChange struct {
	Title        rest.Opt[string]    `param:"title"`
	AddLabels    rest.Opt[[]string]  `param:"add_labels,comma"`
	RemoveLabels rest.Opt[[]string]  `param:"remove_labels,comma"`
	StateEvent   rest.Opt[string]    `param:"state_event" oneof:"close reopen"`
	UpdatedAt    rest.Opt[time.Time] `param:"updated_at"`
	epicFields
	_ struct{} `atleast:"title description labels add_labels remove_labels color confidential parent_id state_event start_date_fixed start_date_is_fixed due_date_fixed due_date_is_fixed updated_at"`
}

func (a epics) update(ctx context.Context, s InEpic, in epicChange) (epicView, error) {
	commands := in.commandsOf(a.Site, s.InGroup)
	e, err := work.ChangeEpic(ctx, s.Store, s.Group.Group, s.Caller.User, db.ByID(s.Epic.ID),
		func(st *db.Store, e *work.Epic) error {
			e.Title = in.Title.Or(e.Title)
			if state, ok := issueStates[strings.TrimSpace(in.StateEvent.Or(""))]; ok {
				e.State = state
			}
			if err := in.into(ctx, s.InGroup, e); err != nil {
				return err
			}
			labels := work.LabelChoice{Add: in.AddLabels.Or(nil), Remove: in.RemoveLabels.Or(nil)}
			if in.Labels.Given() {
				labels.Set = append([]string{}, in.Labels.Or(nil)...)
			}
			if err := labelEpic(ctx, st, s.InGroup, labels, e); err != nil {
				return err
			}
			return commands.Edit(ctx, st, e)
		})
	if at, ok := in.UpdatedAt.Value(); ok && err == nil && s.Can(deleteEpic) { // owners and administrators
		e.UpdatedAt, err = at, work.StampUpdated(ctx, s.Store, e.Target(), at)
	}
	if err != nil {
		return epicView{}, err
	}
	return a.finish(ctx, s.InGroup, commands, e)
}

// finish does what is left of the quick actions of a description, and returns the view of the epic.
func (a epics) finish(
	ctx context.Context, s scope.InGroup, commands *work.CommandRun[work.Epic], e work.Epic,
) (epicView, error) {
	if _, err := commands.Finish(ctx, s.Store, e); err != nil {
		return epicView{}, err
	}
	e, err := work.Epics(s.Store, s.Group.ID).One(ctx, db.ByID(e.ID))
	if err != nil {
		return epicView{}, err
	}
	return a.one(ctx, s, e)
}

func (epics) delete(ctx context.Context, s InEpic, _ rest.None) (rest.None, error) {
	return rest.None{}, work.DeleteEpic(ctx, s.Store, s.Group.Group, s.Caller.User, s.Epic, rest.Unmodified)
}
