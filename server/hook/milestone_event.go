package hook

import (
	"context"
	"time"

	"hew/server/db"
	"hew/server/event"
	"hew/server/tree"
	"hew/server/work"
)

// milestonePayload is a milestone that was created, closed, reopened or deleted. The user and, for
// one of a project, the project are shown beside it (gaps §13.6).
type milestonePayload struct {
	ObjectKind string              `json:"object_kind"` // milestone
	EventType  string              `json:"event_type"`  // the same
	Action     string              `json:"action"`      // create, close, reopen, delete
	Attributes milestoneAttributes `json:"object_attributes"`
}

type milestoneAttributes struct {
	ID          int64     `json:"id"`
	IID         int       `json:"iid"`
	Title       string    `json:"title"`
	Description *string   `json:"description"`
	State       string    `json:"state"` // active, closed
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
	StartDate   *db.Date  `json:"start_date"`
	DueDate     *db.Date  `json:"due_date"`
	ProjectID   *int64    `json:"project_id"`
	GroupID     *int64    `json:"group_id"`
}

// milestoneActions are the actions that are sent.
var milestoneActions = map[work.Action]string{
	work.Opening: "create", work.Closing: "close", work.Reopening: "reopen",
}

// milestoneListeners send milestones to the hooks of the project or group and of the groups above.
var milestoneListeners = []event.Listener{
	event.On(func(ctx context.Context, st *db.Store, e work.MilestoneChanged) error {
		if action, ok := milestoneActions[e.Action]; ok {
			return notifyMilestone(ctx, st, e.Milestone, e.By, action)
		}
		return nil
	}),
	event.On(func(ctx context.Context, st *db.Store, e work.MilestoneDeleted) error {
		return notifyMilestone(ctx, st, e.Milestone, e.By, "delete")
	}),
}

func notifyMilestone(ctx context.Context, st *db.Store, m work.Milestone, by tree.User, action string) error {
	h := occurrence{flag: "milestone_events", user: by.ID}
	if m.NamespaceID != nil {
		h.at.groups = []int64{*m.NamespaceID}
	} else {
		p, err := tree.FindProject(ctx, st, *m.ProjectID)
		if err != nil {
			return err
		}
		h.at = audience{groups: []int64{p.NamespaceID}, project: &p.ID}
	}
	return enqueueDeliveries(ctx, st, h, func() ([]any, error) { return []any{newMilestonePayload(m, action)}, nil })
}

func newMilestonePayload(m work.Milestone, action string) milestonePayload {
	return milestonePayload{
		ObjectKind: "milestone", EventType: "milestone", Action: action,
		Attributes: milestoneAttributes{
			ID: m.ID, IID: m.IID, Title: m.Title, Description: m.Description, State: m.State,
			CreatedAt: wholeSeconds(m.CreatedAt), UpdatedAt: wholeSeconds(m.UpdatedAt), StartDate: m.StartDate,
			DueDate: m.DueDate, ProjectID: m.ProjectID, GroupID: m.NamespaceID,
		},
	}
}

// sampleMilestone returns an event of the newest milestone of the project.
func sampleMilestone(ctx context.Context, st *db.Store, at sampleScope) (any, error) {
	if err := at.needProject(); err != nil {
		return nil, err
	}
	list, _, err := work.ListMilestones(ctx, st, at.project.Container(), work.MilestoneFilter{}, db.Page{Limit: 1})
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return sampleMissing("milestones")(ctx, st, at)
	}
	return newMilestonePayload(list[0], "create"), nil
}
