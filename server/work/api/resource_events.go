package api

import (
	"context"
	"encoding/hex"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/note"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
	"hew/server/work"
)

// eventFields are the fields whose events are served; epics have the first two.
var eventFields = []string{
	work.LabelField, work.StateField, work.MilestoneField, work.WeightField, work.IterationField,
}

// eventRoutes returns the routes of what happened to the fields of issues and epics (more §4).
func eventRoutes(site *view.Site) (routes []rest.Route) {
	const issue, epic = "/projects/{id}/issues/{issue_iid}", "/groups/{id}/epics/{epic_id}"
	for n, field := range eventFields {
		routes = append(routes, EventsAt(site, issue, field, ForIssue(policy.ReadIssue), InIssue.target)...)
		if n < 2 {
			routes = append(routes, EventsAt(site, epic, field, ForEpicByID(readEpic), InEpic.target)...)
		}
	}
	return routes
}

// EventScope is what the handlers of events need of the scope of a route.
type EventScope struct {
	scope.Anyone
	On note.Target
}

func (s InIssue) target() EventScope { return EventScope{s.Anyone, s.Issue.Target()} }

func (s InEpic) target() EventScope { return EventScope{s.Anyone, s.Epic.Target()} }

// EventsAt returns the routes of the events of a field, below the path of what has it.
func EventsAt[S any](
	site *view.Site, path, field string, guard rest.Guard[S], on func(S) EventScope,
) []rest.Route {
	a, read := events{site, field}, scope.As(guard, on)
	path += "/resource_" + field + "_events"
	return []rest.Route{rest.Get(path, read, a.list), rest.Get(path+"/{event_id}", read, a.show)}
}

// events serves the events of one field.
type events struct {
	*view.Site
	field string
}

// eventView is an event as answers show it; each field has a form of its own.
type eventView any

// eventCore is what all events have.
type eventCore struct {
	ID        int64           `json:"id"`
	User      *view.BasicUser `json:"user"`
	CreatedAt time.Time       `json:"created_at"`
}

// eventTarget says what the event happened to.
type eventTarget struct {
	Type note.Kind `json:"resource_type"`
	ID   int64     `json:"resource_id"`
}

type labelEvent struct {
	eventCore
	eventTarget
	Label  *labelOfEvent `json:"label"` // null: it was deleted
	Action string        `json:"action"`
}

type labelOfEvent struct {
	work.LabelRef
	TextColor string `json:"text_color"`
}

type stateEvent struct {
	eventCore
	eventTarget
	SourceCommit       *string `json:"source_commit"`
	SourceMergeRequest *int64  `json:"source_merge_request_id"` // that closed the issue
	State              string  `json:"state"`
}

type milestoneEvent struct {
	eventCore
	eventTarget
	Milestone *milestoneView `json:"milestone"`
	Action    string         `json:"action"`
	State     string         `json:"state"`
}

type weightEvent struct {
	eventCore
	IssueID int64 `json:"issue_id"`
	Weight  *int  `json:"weight"`
}

type iterationEvent struct {
	eventCore
	eventTarget
	Iteration *iterationView `json:"iteration"`
	Action    string         `json:"action"`
}

type eventPage struct{ rest.Paging }

func (a events) list(ctx context.Context, s EventScope, in eventPage) (rest.List[eventView], error) {
	list, total, err := work.ResourceEvents(ctx, s.Store, s.On, a.field, scope.PageOf(in.Paging))
	if err != nil {
		return rest.List[eventView]{}, err
	}
	views, err := a.views(ctx, s, list)
	return rest.Page(views, total, err)
}

type eventID struct {
	ID int64 `param:"event_id"`
}

func (a events) show(ctx context.Context, s EventScope, in eventID) (eventView, error) {
	e, err := work.FindResourceEvent(ctx, s.Store, s.On, a.field, in.ID)
	if err != nil {
		return nil, err
	}
	views, err := a.views(ctx, s, []work.ResourceEvent{e})
	if err != nil || len(views) == 0 {
		return nil, fault.NotFound("")
	}
	return views[0], nil
}

// views returns the views of events. What they refer to is read once for all of them.
func (a events) views(ctx context.Context, s EventScope, list []work.ResourceEvent) ([]eventView, error) {
	var labels, milestones, iterations []int64
	for _, e := range list {
		labels, milestones = db.AppendNotNull(labels, e.LabelID), db.AppendNotNull(milestones, e.MilestoneID)
		iterations = db.AppendNotNull(iterations, e.IterationID)
	}
	var refs issueRefs
	var err error
	if refs.labels, err = work.LabelsByID(ctx, s.Store, labels); err != nil {
		return nil, err
	}
	if len(milestones) > 0 {
		if refs.milestones, err = work.MilestonesByID(ctx, s.Store, milestones); err != nil {
			return nil, err
		}
	}
	if refs.iterations, err = work.IterationsByID(ctx, s.Store, iterations); err != nil {
		return nil, err
	}
	views := make([]eventView, len(list))
	for n, e := range list {
		views[n] = a.view(e, s.On, refs)
	}
	return views, nil
}

func (a events) view(e work.ResourceEvent, on note.Target, refs issueRefs) eventView {
	core := eventCore{ID: e.ID, User: a.Author(e.User), CreatedAt: e.CreatedAt}
	target := eventTarget{on.Kind, on.ID}
	switch a.field {
	case work.LabelField:
		v := labelEvent{core, target, nil, e.Action}
		if l, ok := refs.labels[db.OrZero(e.LabelID)]; ok {
			v.Label = &labelOfEvent{l, textColor(l.Color)}
		}
		return v
	case work.StateField:
		v := stateEvent{
			eventCore: core, eventTarget: target, SourceMergeRequest: e.SourceRequestID, State: e.Action,
		}
		if len(e.CommitOID) > 0 {
			v.SourceCommit = new(hex.EncodeToString(e.CommitOID))
		}
		return v
	case work.MilestoneField:
		v := milestoneEvent{core, target, nil, e.Action, e.State}
		if m, ok := refs.milestones[db.OrZero(e.MilestoneID)]; ok {
			v.Milestone = new(ViewMilestone(a.Site, m))
		}
		return v
	case work.WeightField:
		return weightEvent{core, on.ID, e.Weight}
	}
	v := iterationEvent{core, target, nil, e.Action}
	if i, ok := refs.iterations[db.OrZero(e.IterationID)]; ok {
		v.Iteration = new(iterationViewOf(a.Site, i))
	}
	return v
}
