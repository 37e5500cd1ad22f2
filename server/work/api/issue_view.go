package api

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/scope"
	"hew/server/view"
	"hew/server/work"
	"hew/server/work/duration"
)

// issueView is an issue as answers show it (spec 2 §2.3).
type issueView struct {
	ID               int64            `json:"id"`
	IID              int              `json:"iid"`
	ProjectID        int64            `json:"project_id"`
	Title            string           `json:"title"`
	Description      *string          `json:"description"`
	State            string           `json:"state"`
	CreatedAt        time.Time        `json:"created_at"`
	UpdatedAt        time.Time        `json:"updated_at"`
	ClosedAt         *time.Time       `json:"closed_at"`
	ClosedBy         *view.BasicUser  `json:"closed_by"`
	Labels           any              `json:"labels"` // names, or labelDetails
	Milestone        *MilestoneView   `json:"milestone"`
	Assignees        []view.BasicUser `json:"assignees"`
	Author           *view.BasicUser  `json:"author"`
	Type             string           `json:"type"`
	Assignee         *view.BasicUser  `json:"assignee"`
	NoteCount        int              `json:"user_notes_count"`
	MergeRequests    int              `json:"merge_requests_count"` // that close it and the caller sees
	Upvotes          int              `json:"upvotes"`
	Downvotes        int              `json:"downvotes"`
	DueDate          *db.Date         `json:"due_date"`
	Confidential     bool             `json:"confidential"`
	DiscussionLocked *bool            `json:"discussion_locked"`
	IssueType        string           `json:"issue_type"`
	WebURL           string           `json:"web_url"`
	TimeStats        TimeStats        `json:"time_stats"`
	Tasks            TaskStatus       `json:"task_completion_status"`
	Weight           *int             `json:"weight"`
	HasTasks         bool             `json:"has_tasks"`
	TaskStatus       string           `json:"task_status"`
	Links            issueAddresses   `json:"_links"`
	References       References       `json:"references"`
	Severity         string           `json:"severity"`
	Subscribed       *bool            `json:"subscribed,omitempty"` // of one issue
	MovedToID        *int64           `json:"moved_to_id"`
	EpicIID          *int             `json:"epic_iid"`
	Epic             *epicRefView     `json:"epic"`
	Iteration        *iterationView   `json:"iteration"`
	HealthStatus     *string          `json:"health_status"`
	ServiceDeskReply *string          `json:"service_desk_reply_to"` // null: there is no service desk
	BlockingIssues   int              `json:"blocking_issues_count"`
}

// TimeStats are the times of an issue or merge request, in seconds and in words (null for none).
type TimeStats struct {
	Estimate      int64   `json:"time_estimate"`
	Spent         int64   `json:"total_time_spent"`
	HumanEstimate *string `json:"human_time_estimate"`
	HumanSpent    *string `json:"human_total_time_spent"`
}

// NewTimeStats returns the view of an estimate and of the time spent, in seconds.
func NewTimeStats(estimate, spent int64) TimeStats {
	return TimeStats{estimate, spent, humanTime(estimate), humanTime(spent)}
}

func timeStatsOf(i work.Issue) TimeStats { return NewTimeStats(i.TimeEstimate, i.TimeSpent) }

// humanTime returns seconds in words, nil for none.
func humanTime(seconds int64) *string {
	if seconds == 0 {
		return nil
	}
	return new(duration.Format(seconds))
}

// TaskStatus says how many tasks of a description are done.
type TaskStatus struct {
	Count     int `json:"count"`
	Completed int `json:"completed_count"`
}

type issueAddresses struct {
	Self         string  `json:"self"`
	Notes        string  `json:"notes"`
	AwardEmoji   string  `json:"award_emoji"`
	Project      string  `json:"project"`
	DuplicatedBy *string `json:"closed_as_duplicate_of"`
}

// References are how something is referred to: in its project, from where it was asked, and from
// anywhere.
type References struct {
	Short    string `json:"short"`
	Relative string `json:"relative"`
	Full     string `json:"full"`
}

// epicRefView is an epic as its issues show it.
type epicRefView struct {
	ID      int64  `json:"id"`
	IID     int    `json:"iid"`
	Title   string `json:"title"`
	URL     string `json:"url"`
	GroupID int64  `json:"group_id"`
}

type labelDetails struct {
	work.LabelRef
	TextColor       string  `json:"text_color"`
	DescriptionHTML *string `json:"description_html"`
}

// issueViews shows issues.
type issueViews struct {
	*view.Site
	from    string // the full path of the group or project that the caller asked in; empty: of none
	details bool   // of labels
}

// of returns the views of issues for a caller. What they refer to is read once for all of them.
func (v issueViews) of(ctx context.Context, s scope.Anyone, list []work.Issue) ([]issueView, error) {
	refs, err := readIssueRefs(ctx, s, list)
	views := make([]issueView, len(list))
	for n, i := range list {
		views[n] = v.view(i, refs)
	}
	return views, err
}

// one returns the view of one issue.
func (v issueViews) one(ctx context.Context, s scope.Anyone, i work.Issue) (issueView, error) {
	views, err := v.of(ctx, s, []work.Issue{i})
	return views[0], err
}

func (v issueViews) view(i work.Issue, refs issueRefs) issueView {
	self := fmt.Sprintf("%s/api/v4/projects/%d/issues/%d", v.Base, i.ProjectID, i.IID)
	answer := issueView{
		ID: i.ID, IID: i.IID, ProjectID: i.ProjectID, Title: i.Title, Description: i.Description, State: i.State,
		CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt, ClosedAt: i.ClosedAt, ClosedBy: v.Author(i.ClosedBy),
		Labels: refs.labelsOf(i, v.details), Assignees: []view.BasicUser{}, Author: v.Author(i.Author),
		Type: strings.ToUpper(i.Type), NoteCount: i.NoteCount, Upvotes: i.Upvotes, Downvotes: i.Downvotes,
		DueDate: i.DueDate, Confidential: i.Confidential, DiscussionLocked: i.DiscussionLocked, IssueType: i.Type,
		WebURL: v.Web(fmt.Sprintf("%s/-/issues/%d", i.Path, i.IID)), TimeStats: timeStatsOf(i),
		Tasks: TaskStatus{i.TaskCount, i.TasksDone}, Weight: i.Weight, HasTasks: i.TaskCount > 0,
		TaskStatus: taskWords(i), Severity: strings.ToUpper(i.Severity), MovedToID: i.MovedToID,
		HealthStatus: i.HealthStatus, MergeRequests: refs.requests[i.ID],
		Links: issueAddresses{
			Self: self, Notes: self + "/notes", AwardEmoji: self + "/award_emoji",
			Project: fmt.Sprintf("%s/api/v4/projects/%d", v.Base, i.ProjectID),
		},
		References: References{
			Short: fmt.Sprintf("#%d", i.IID), Relative: i.RelativeTo(v.from), Full: i.RelativeTo(""),
		},
	}
	if refs.planned[i.ProjectID] {
		answer.NoteCount += i.SecretNotes
	}
	for _, a := range i.Assignees {
		answer.Assignees = append(answer.Assignees, v.BasicUser(a))
	}
	if len(answer.Assignees) > 0 {
		answer.Assignee = &answer.Assignees[0]
	}
	if m, ok := refs.milestones[db.OrZero(i.MilestoneID)]; ok {
		answer.Milestone = new(ViewMilestone(v.Site, m))
	}
	if e, ok := refs.epics[db.OrZero(i.EpicID)]; ok {
		answer.EpicIID = &e.IID
		answer.Epic = &epicRefView{e.ID, e.IID, e.Title, fmt.Sprintf("/groups/%s/-/epics/%d", e.Path, e.IID), e.GroupID}
	}
	if it, ok := refs.iterations[db.OrZero(i.IterationID)]; ok {
		answer.Iteration = new(iterationViewOf(v.Site, it))
	}
	if d, ok := refs.duplicates[db.OrZero(i.DuplicateOfID)]; ok {
		answer.Links.DuplicatedBy = new(fmt.Sprintf("%s/api/v4/projects/%d/issues/%d", v.Base, d.ProjectID, d.IID))
	}
	return answer
}

// taskWords says how many tasks of the description are done; it is empty without a description.
func taskWords(i work.Issue) string {
	if i.Description == nil || *i.Description == "" {
		return ""
	}
	items := "items"
	if i.TaskCount == 1 {
		items = "item"
	}
	return fmt.Sprintf("%d of %d checklist %s completed", i.TasksDone, i.TaskCount, items)
}
