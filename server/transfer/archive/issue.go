package archive

import (
	"encoding/json"
	"time"
)

// Label is a label of the project or of a group above it.
type Label struct {
	Title       string          `json:"title"`
	Color       string          `json:"color"` // "#428bca"
	Description *string         `json:"description"`
	Template    bool            `json:"template"`
	Type        string          `json:"type"` // ProjectLabel, GroupLabel
	GroupID     *int64          `json:"group_id,omitempty"`
	CreatedAt   *time.Time      `json:"created_at"`
	UpdatedAt   *time.Time      `json:"updated_at"`
	Priorities  []LabelPriority `json:"priorities"`
}

// The values of Label.Type.
const (
	ProjectLabel = "ProjectLabel"
	GroupLabel   = "GroupLabel"
)

// LabelPriority is the priority of a label in the project; 0 is the highest.
type LabelPriority struct {
	Priority int `json:"priority"`
}

// LabelLink is a label on something.
type LabelLink struct {
	Label *Label `json:"label"`
}

// Milestone is a milestone of the project or, with a GroupID, of a group above it.
type Milestone struct {
	IID         int64      `json:"iid"`
	Title       string     `json:"title"`
	Description *string    `json:"description"`
	State       Word       `json:"state"`      // active, closed
	StartDate   *string    `json:"start_date"` // YYYY-MM-DD
	DueDate     *string    `json:"due_date"`
	GroupID     *int64     `json:"group_id,omitempty"`
	CreatedAt   *time.Time `json:"created_at"`
	UpdatedAt   *time.Time `json:"updated_at"`
	Events      []Event    `json:"events,omitempty"`
}

// Issue is an issue, incident, test case or task.
type Issue struct {
	IID              int64      `json:"iid"`
	Title            string     `json:"title"`
	Description      *string    `json:"description"`
	State            Word       `json:"state"` // opened, closed
	AuthorID         *int64     `json:"author_id"`
	IssueType        Word       `json:"issue_type,omitempty"` // issue, incident, test_case, task
	Confidential     bool       `json:"confidential"`
	DiscussionLocked *bool      `json:"discussion_locked"`
	DueDate          *string    `json:"due_date"` // YYYY-MM-DD
	Weight           *int       `json:"weight"`
	HealthStatus     *Word      `json:"health_status"` // on_track, needs_attention, at_risk
	Severity         *Word      `json:"severity,omitempty"`
	TimeEstimate     int64      `json:"time_estimate"` // seconds
	RelativePosition *int64     `json:"relative_position"`
	ClosedAt         *time.Time `json:"closed_at"`
	ClosedByID       *int64     `json:"closed_by_id"`
	UpdatedByID      *int64     `json:"updated_by_id"`
	LastEditedAt     *time.Time `json:"last_edited_at"`
	LastEditedByID   *int64     `json:"last_edited_by_id"`
	ExternalAuthor   *string    `json:"external_author,omitempty"`
	ExternalKey      *string    `json:"external_key,omitempty"`
	CreatedAt        *time.Time `json:"created_at"`
	UpdatedAt        *time.Time `json:"updated_at"`

	Milestone               *Milestone               `json:"milestone"`
	Iteration               *Iteration               `json:"iteration,omitempty"`
	EpicIssue               *EpicIssue               `json:"epic_issue,omitempty"`
	WorkItemType            *WorkItemType            `json:"work_item_type,omitempty"`
	LabelLinks              []LabelLink              `json:"label_links"`
	IssueAssignees          []UserLink               `json:"issue_assignees"`
	Notes                   []Note                   `json:"notes"`
	AwardEmoji              []AwardEmoji             `json:"award_emoji"`
	Timelogs                []Timelog                `json:"timelogs"`
	Events                  []Event                  `json:"events,omitempty"`
	ResourceLabelEvents     []ResourceLabelEvent     `json:"resource_label_events"`
	ResourceMilestoneEvents []ResourceMilestoneEvent `json:"resource_milestone_events"`
	ResourceStateEvents     []ResourceStateEvent     `json:"resource_state_events"`
	ZoomMeetings            []ZoomMeeting            `json:"zoom_meetings,omitempty"`
	SentryIssue             json.RawMessage          `json:"sentry_issue,omitempty"`    // read only
	Designs                 []json.RawMessage        `json:"designs,omitempty"`         // read only
	DesignVersions          []json.RawMessage        `json:"design_versions,omitempty"` // read only

	// Links to other issues of the project. The public service neither writes nor reads them.
	Links []IssueLink `json:"issue_links,omitempty"`
}

// UserLink is an assignee, an approver or the like.
type UserLink struct {
	UserID    *int64     `json:"user_id"`
	CreatedAt *time.Time `json:"created_at,omitempty"`
}

// WorkItemType is the type of an issue in archives that have no IssueType.
type WorkItemType struct {
	BaseType Word `json:"base_type"`
}

// ZoomMeeting is a call that an issue links to.
type ZoomMeeting struct {
	URL         string `json:"url"`
	IssueStatus Word   `json:"issue_status"`
}

// IssueLink is a link from an issue to another one of the project.
type IssueLink struct {
	TargetIID int64      `json:"target_iid"`
	LinkType  string     `json:"link_type"` // relates_to, blocks
	CreatedAt *time.Time `json:"created_at,omitempty"`
	UpdatedAt *time.Time `json:"updated_at,omitempty"`
}

// EpicIssue is the place of an issue in an epic.
type EpicIssue struct {
	RelativePosition *int64 `json:"relative_position"`
	Epic             *Epic  `json:"epic"`
}

// Epic is an epic of a group above the project.
type Epic struct {
	IID              int64      `json:"iid"`
	GroupID          *int64     `json:"group_id"`
	AuthorID         *int64     `json:"author_id"`
	Title            string     `json:"title"`
	Description      *string    `json:"description"`
	State            Word       `json:"state"` // opened, closed
	Confidential     bool       `json:"confidential"`
	Color            string     `json:"color,omitempty"`
	StartDate        *string    `json:"start_date"` // YYYY-MM-DD
	EndDate          *string    `json:"end_date"`
	StartDateFixed   *string    `json:"start_date_fixed"`
	DueDateFixed     *string    `json:"due_date_fixed"`
	StartDateIsFixed *bool      `json:"start_date_is_fixed"`
	DueDateIsFixed   *bool      `json:"due_date_is_fixed"`
	ClosedAt         *time.Time `json:"closed_at"`
	CreatedAt        *time.Time `json:"created_at"`
	UpdatedAt        *time.Time `json:"updated_at"`
}

// Iteration is a span of time of a group above the project.
type Iteration struct {
	IID         int64   `json:"iid"`
	GroupID     *int64  `json:"group_id"`
	Title       *string `json:"title"`
	Description *string `json:"description"`
	StartDate   string  `json:"start_date"` // YYYY-MM-DD
	DueDate     string  `json:"due_date"`
}
