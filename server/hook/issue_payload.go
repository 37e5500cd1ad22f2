package hook

import (
	"context"
	"fmt"
	"time"

	"hew/server/db"
	"hew/server/work"
	"hew/server/work/duration"
)

// issuePayload is an issue that was created or changed. The user, the project and its repository
// are shown beside it (gaps §13.6).
type issuePayload struct {
	ObjectKind string            `json:"object_kind"` // issue
	EventType  string            `json:"event_type"`  // issue, confidential_issue
	Attributes issueAttributes   `json:"object_attributes"`
	Assignees  []hookUser        `json:"assignees"`
	Assignee   *hookUser         `json:"assignee,omitempty"`
	Labels     []labelPayload    `json:"labels"`
	Changes    map[string]change `json:"changes"`
}

// change is the change of one field.
type change struct {
	Previous any `json:"previous"`
	Current  any `json:"current"`
}

// issueAttributes are the columns of an issue with what follows from them.
type issueAttributes struct {
	issueColumns
	Assignee       *int64         `json:"assignee_id"`
	AssigneeIDs    []int64        `json:"assignee_ids"`
	HumanEstimate  *string        `json:"human_time_estimate"`
	HumanSpent     *string        `json:"human_total_time_spent"`
	HumanChange    *string        `json:"human_time_change"`
	TimeChange     int64          `json:"time_change"` // seconds
	Type           string         `json:"type"`
	URL            string         `json:"url"`
	State          string         `json:"state"`
	Action         work.Action    `json:"action"`
	Labels         []labelPayload `json:"labels"`
	EscalationStat *string        `json:"escalation_status"` // null: incidents are not escalated
	Escalation     *struct{}      `json:"escalation_policy"`
}

// issueColumns are the fields of an issue whose changes are shown.
type issueColumns struct {
	ID               int64      `json:"id"`
	IID              int        `json:"iid"`
	ProjectID        int64      `json:"project_id"`
	AuthorID         *int64     `json:"author_id"`
	Title            string     `json:"title"`
	Description      *string    `json:"description"`
	StateID          int        `json:"state_id"` // 1 opened, 2 closed
	IssueType        string     `json:"issue_type"`
	Confidential     bool       `json:"confidential"`
	DiscussionLocked *bool      `json:"discussion_locked"`
	MilestoneID      *int64     `json:"milestone_id"`
	IterationID      *int64     `json:"iteration_id"`
	EpicID           *int64     `json:"epic_id"`
	Weight           *int       `json:"weight"`
	HealthStatus     *string    `json:"health_status"`
	Severity         string     `json:"severity"`
	DueDate          *db.Date   `json:"due_date"`
	RelativePosition *int       `json:"relative_position"`
	TimeEstimate     int64      `json:"time_estimate"`    // seconds
	TimeSpent        int64      `json:"total_time_spent"` // seconds
	MovedToID        *int64     `json:"moved_to_id"`
	DuplicatedToID   *int64     `json:"duplicated_to_id"`
	ClosedAt         *time.Time `json:"closed_at"`
	LastEditedAt     *time.Time `json:"last_edited_at"`
	LastEditedByID   *int64     `json:"last_edited_by_id"`
	UpdatedByID      *int64     `json:"updated_by_id"`
	CreatedAt        time.Time  `json:"created_at"`
	UpdatedAt        time.Time  `json:"updated_at"`
}

func newIssueColumns(i work.Issue) issueColumns {
	state := 1
	if i.State == work.Closed {
		state = 2
	}
	return issueColumns{
		ID: i.ID, IID: i.IID, ProjectID: i.ProjectID, AuthorID: i.AuthorID, Title: i.Title, Description: i.Description,
		StateID: state, IssueType: i.Type, Confidential: i.Confidential, DiscussionLocked: i.DiscussionLocked,
		MilestoneID: i.MilestoneID, IterationID: i.IterationID, EpicID: i.EpicID, Weight: i.Weight,
		HealthStatus: i.HealthStatus, Severity: i.Severity, DueDate: i.DueDate, RelativePosition: i.RelativePosition,
		TimeEstimate: i.TimeEstimate, TimeSpent: i.TimeSpent, MovedToID: i.MovedToID, DuplicatedToID: i.DuplicateOfID,
		ClosedAt: secondsOf(i.ClosedAt), LastEditedAt: secondsOf(i.LastEditedAt), LastEditedByID: i.LastEditedByID,
		CreatedAt: wholeSeconds(i.CreatedAt), UpdatedAt: wholeSeconds(i.UpdatedAt),
	}
}

// secondsOf returns a time that may be missing without fractions of a second.
func secondsOf(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	return new(wholeSeconds(*t))
}

// newIssuePayload returns the payload of a change. Its Changes are nil if nothing changed.
func newIssuePayload(ctx context.Context, st *db.Store, web string, e work.IssueChanged) (p issuePayload, err error) {
	refs, err := readIssueRefs(ctx, st, web, e.Before, e.Issue)
	if err != nil {
		return p, err
	}
	p = issuePayload{
		ObjectKind: "issue", EventType: "issue", Assignees: chosen(refs.users, e.Issue.AssigneeIDs),
		Labels: chosen(refs.labels, e.Issue.LabelIDs),
	}
	if e.Issue.Confidential {
		p.EventType = "confidential_issue"
	}
	p.Attributes = newIssueAttributes(web, e, p.Labels)
	if len(p.Assignees) > 0 {
		p.Assignee = &p.Assignees[0]
	}
	p.Changes, err = changesOf(e, refs)
	return p, err
}

func newIssueAttributes(web string, e work.IssueChanged, labels []labelPayload) issueAttributes {
	i := e.Issue
	a := issueAttributes{
		issueColumns: newIssueColumns(i), AssigneeIDs: append([]int64{}, i.AssigneeIDs...),
		HumanEstimate: humanTime(i.TimeEstimate), HumanSpent: humanTime(i.TimeSpent), Type: issueKind(i.Type),
		URL: fmt.Sprintf("%s/%s/-/issues/%d", web, i.Path, i.IID), State: i.State, Action: e.Action, Labels: labels,
	}
	a.UpdatedByID = &e.By.ID
	if len(i.AssigneeIDs) > 0 {
		a.Assignee = &i.AssigneeIDs[0]
	}
	if e.Action != work.Opening {
		a.TimeChange = i.TimeSpent - e.Before.TimeSpent
		a.HumanChange = humanTime(a.TimeChange)
	}
	return a
}

// issueKind returns the type of an issue as payloads show it, such as Issue or TestCase.
func issueKind(kind string) string {
	return map[string]string{"issue": "Issue", "incident": "Incident", "test_case": "TestCase", "task": "Task"}[kind]
}

// humanTime returns seconds in words, nil for none.
func humanTime(seconds int64) *string {
	switch {
	case seconds == 0:
		return nil
	case seconds < 0:
		return new("-" + duration.Format(-seconds))
	}
	return new(duration.Format(seconds))
}
