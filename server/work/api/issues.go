package api

import (
	"context"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/setting"
	"hew/server/view"
	"hew/server/work"
)

// issues serves the issues of projects (gaps §6.1).
type issues struct{ *view.Site }

func (a issues) routes() []rest.Route {
	const path, one = "/projects/{id}/issues", "/projects/{id}/issues/{issue_iid}"
	read := ForIssue(policy.ReadIssue)
	return []rest.Route{
		rest.Get("/issues/{issue_id}", scope.ForAdmin(), a.showByID),
		rest.Post(path, scope.Limited(setting.IssuesCreated, scope.ForProject(createIssue)), a.create),
		rest.Get(one, read, a.show),
		rest.Put(one, ForIssue(editOwnIssue), a.update),
		rest.Delete(one, ForIssue(deleteIssue), a.delete),
		rest.Put(one+"/reorder", ForIssue(adminIssue), a.reorder),
		rest.Post(one+"/move", ForIssue(followIssue), a.move),
		rest.Post(one+"/clone", ForIssue(followIssue), a.clone),
		rest.Post(one+"/subscribe", ForIssue(followIssue), a.subscribe(true)),
		rest.Post(one+"/unsubscribe", ForIssue(followIssue), a.subscribe(false)),
		rest.Get(one+"/participants", read, a.participants),
		rest.Get(one+"/user_agent_detail", scope.Unless(read, adminsOnly), a.userAgent),
		rest.Get(one+"/time_stats", read, a.timeStats),
		rest.Post(one+"/time_estimate", ForIssue(adminIssue), a.estimate).Status(200),
		rest.Post(one+"/reset_time_estimate", ForIssue(adminIssue), a.resetEstimate).Status(200),
		rest.Post(one+"/add_spent_time", ForIssue(adminIssue), a.spend),
		rest.Post(one+"/reset_spent_time", ForIssue(adminIssue), a.resetSpent).Status(200),
	}
}

// issueFields are the parameters that both create and change issues.
type issueFields struct {
	Description  rest.Opt[*string]   `param:"description"`
	AssigneeID   rest.Opt[int64]     `param:"assignee_id"`
	AssigneeIDs  rest.Opt[[]int64]   `param:"assignee_ids,comma"`
	MilestoneID  rest.Opt[int64]     `param:"milestone_id"`
	Labels       rest.Opt[[]string]  `param:"labels,comma"`
	Confidential rest.Opt[bool]      `param:"confidential"`
	DueDate      rest.Opt[time.Time] `param:"due_date,date"`
	IssueType    rest.Opt[string]    `param:"issue_type" oneof:"issue incident test_case task"`
	Weight       rest.Opt[*int]      `param:"weight" min:"0" max:"2147483647"`
	EpicID       rest.Opt[int64]     `param:"epic_id"`
	EpicIID      rest.Opt[int]       `param:"epic_iid"`
	HealthStatus rest.Opt[*string]   `param:"health_status" oneof:"on_track needs_attention at_risk"`
	_            struct{}            `exclusive:"epic_id epic_iid"`
}

// into sets the fields of an issue that the caller may set. What needs another role is ignored,
// as the API does for people who report issues of others' projects.
func (in issueFields) into(ctx context.Context, st *db.Store, s scope.InProject, i *work.Issue) error {
	in.Description.Into(&i.Description)
	i.Type = in.IssueType.Or(i.Type)
	if in.Confidential.Given() && (i.ID == 0 || s.Can(adminIssue)) {
		i.Confidential = in.Confidential.Or(false)
	}
	if !s.Can(adminIssue) {
		return nil
	}
	in.assign(i)
	if in.MilestoneID.Given() {
		i.MilestoneID = db.NilIfZero(in.MilestoneID.Or(0))
	}
	if in.DueDate.Given() {
		i.DueDate = db.DateOf(in.DueDate.Or(time.Time{}))
	}
	in.Weight.Into(&i.Weight)
	in.HealthStatus.Into(&i.HealthStatus)
	return in.epic(ctx, st, s, i)
}

// assign sets the assignees; 0 stands for none.
func (in issueFields) assign(i *work.Issue) {
	switch {
	case in.AssigneeIDs.Given():
		i.AssigneeIDs = NonZero(in.AssigneeIDs.Or(nil))
	case in.AssigneeID.Given():
		i.AssigneeIDs = NonZero([]int64{in.AssigneeID.Or(0)})
	}
}

// epic sets the epic; 0 stands for none.
func (in issueFields) epic(ctx context.Context, st *db.Store, s scope.InProject, i *work.Issue) error {
	if !in.EpicID.Given() && !in.EpicIID.Given() {
		return nil
	}
	return ViewerOf(s.Anyone).SetEpic(ctx, st, s.Project.Project, i, in.EpicID.Or(0), in.EpicIID.Or(0))
}

// NonZero returns the ids without zeros, which stand for nobody in inputs.
func NonZero(ids []int64) (list []int64) {
	for _, id := range ids {
		if id != 0 {
			list = append(list, id)
		}
	}
	return list
}

type issueNew struct {
	Title     string              `param:"title,required"`
	IID       rest.Opt[int]       `param:"iid" min:"1" max:"1000000000"` // with room for those that follow
	CreatedAt rest.Opt[time.Time] `param:"created_at"`
	issueFields
}

func (a issues) create(ctx context.Context, s scope.InProject, in issueNew) (issueView, error) {
	commands := in.commandsOf(a.Site, s, true)
	i, err := work.CreateIssue(ctx, s.Store, s.Project.Project, s.Caller.User, func(st *db.Store, i *work.Issue) error {
		i.Title = in.Title
		if s.Can(deleteIssue) { // owners and administrators
			i.IID, i.CreatedAt = in.IID.Or(0), in.CreatedAt.Or(i.CreatedAt)
		}
		if err := in.into(ctx, st, s, i); err != nil {
			return err
		}
		if s.Can(adminIssue) {
			if err := applyLabels(ctx, st, s, work.LabelChoice{Set: in.Labels.Or(nil)}, i); err != nil {
				return err
			}
		}
		return commands.Edit(ctx, st, i)
	})
	if err != nil {
		return issueView{}, err
	}
	return a.finish(ctx, s, commands, i)
}

// applyLabels sets the labels of an issue, and makes those that do not exist.
func applyLabels(ctx context.Context, st *db.Store, s scope.InProject, c work.LabelChoice, i *work.Issue) (err error) {
	i.LabelIDs, err = c.Apply(ctx, st, s.Project.Container(), i.LabelIDs, s.Can(adminLabel))
	return err
}

// one returns the view of an issue of a project, with whether the caller is subscribed.
func (a issues) one(ctx context.Context, s scope.InProject, i work.Issue) (issueView, error) {
	v, err := issueViews{Site: a.Site, from: s.Project.FullPath}.one(ctx, s.Anyone, i)
	if err != nil {
		return v, err
	}
	subscribed, err := work.IsSubscribed(ctx, s.Store, i.Target(), s.Caller.ID())
	v.Subscribed = &subscribed
	return v, err
}

func (a issues) show(ctx context.Context, s InIssue, _ rest.None) (issueView, error) {
	return a.one(ctx, s.InProject, s.Issue)
}

type issueByID struct {
	ID int64 `param:"issue_id"`
}

func (a issues) showByID(ctx context.Context, s scope.Admin, in issueByID) (issueView, error) {
	byID, err := work.IssuesByID(ctx, s.Store, []int64{in.ID})
	i, ok := byID[in.ID]
	switch {
	case err != nil:
		return issueView{}, err
	case !ok:
		return issueView{}, fault.NoRecord()
	}
	return issueViews{Site: a.Site}.one(ctx, s.Anyone, i)
}

type issueChange struct {
	Title            rest.Opt[string]    `param:"title"`
	AddLabels        rest.Opt[[]string]  `param:"add_labels,comma"`
	RemoveLabels     rest.Opt[[]string]  `param:"remove_labels,comma"`
	StateEvent       rest.Opt[string]    `param:"state_event" oneof:"close reopen"`
	DiscussionLocked rest.Opt[*bool]     `param:"discussion_locked"`
	UpdatedAt        rest.Opt[time.Time] `param:"updated_at"`
	issueFields
	_ struct{} `atleast:"title description assignee_id assignee_ids milestone_id labels add_labels remove_labels state_event due_date confidential discussion_locked issue_type weight epic_id epic_iid health_status updated_at"`
}

// issueStates maps a state_event to the state that it leads to.
var issueStates = map[string]string{"close": work.Closed, "reopen": work.Opened}

func (a issues) update(ctx context.Context, s InIssue, in issueChange) (issueView, error) {
	if err := s.edits(); err != nil {
		return issueView{}, err
	}
	p, commands := s.Project.Project, in.commandsOf(a.Site, s.InProject, s.isInvolved())
	i, err := work.ChangeIssue(ctx, s.Store, p, s.Caller.User, db.ByID(s.Issue.ID),
		func(st *db.Store, i *work.Issue) error {
			i.Title = in.Title.Or(i.Title)
			if state, ok := issueStates[strings.TrimSpace(in.StateEvent.Or(""))]; ok {
				i.State = state
			}
			if err := in.into(ctx, st, s.InProject, i); err != nil {
				return err
			}
			if err := in.administer(ctx, st, s.InProject, i); err != nil {
				return err
			}
			return commands.Edit(ctx, st, i)
		})
	if at, ok := in.UpdatedAt.Value(); ok && err == nil && s.Can(deleteIssue) { // owners and administrators
		i.UpdatedAt, err = at, work.StampUpdated(ctx, s.Store, i.Target(), at)
	}
	if err != nil {
		return issueView{}, err
	}
	return a.finish(ctx, s.InProject, commands, i)
}

// administer sets the labels and the lock of an issue, if the caller may.
func (in issueChange) administer(ctx context.Context, st *db.Store, s scope.InProject, i *work.Issue) error {
	if !s.Can(adminIssue) {
		return nil
	}
	in.DiscussionLocked.Into(&i.DiscussionLocked)
	labels := work.LabelChoice{Add: in.AddLabels.Or(nil), Remove: in.RemoveLabels.Or(nil)}
	if in.Labels.Given() {
		labels.Set = append([]string{}, in.Labels.Or(nil)...)
	}
	return applyLabels(ctx, st, s, labels, i)
}

func (issues) delete(ctx context.Context, s InIssue, _ rest.None) (rest.None, error) {
	return rest.None{}, work.DeleteIssue(ctx, s.Store, s.Project.Project, s.Caller.User, s.Issue, rest.Unmodified)
}
