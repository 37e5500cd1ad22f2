package hook

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"hew/server/code"
	"hew/server/db"
	"hew/server/merge"
	"hew/server/tree"
)

// requestPayload is a merge request that was created or changed. The user, the project and its
// repository are shown beside it (gaps §13.6).
type requestPayload struct {
	ObjectKind string            `json:"object_kind"` // merge_request
	EventType  string            `json:"event_type"`  // the same
	Attributes requestAttributes `json:"object_attributes"`
	Labels     []labelPayload    `json:"labels"`
	Changes    map[string]change `json:"changes"`
	Assignees  []hookUser        `json:"assignees,omitempty"`
	Reviewers  []hookUser        `json:"reviewers,omitempty"`
}

// requestAttributes are the columns of a merge request with what follows from them.
type requestAttributes struct {
	requestColumns
	AssigneeID   *int64           `json:"assignee_id"`
	AssigneeIDs  []int64          `json:"assignee_ids"`
	ReviewerIDs  []int64          `json:"reviewer_ids"`
	Detailed     string           `json:"detailed_merge_status"`
	Resolved     bool             `json:"blocking_discussions_resolved"`
	WIP          bool             `json:"work_in_progress"`
	First        bool             `json:"first_contribution"`
	LastCommit   *bareCommit      `json:"last_commit"`
	Source       *hookProject     `json:"source"` // null: the fork is deleted
	Target       hookProject      `json:"target"`
	URL          string           `json:"url"`
	State        string           `json:"state"`
	Labels       []labelPayload   `json:"labels"`
	Action       merge.Action     `json:"action,omitempty"`
	OldRev       *string          `json:"oldrev,omitempty"` // of an update by a push
	HumanSpent   *string          `json:"human_total_time_spent"`
	HumanTime    *string          `json:"human_time_estimate"`
	System       bool             `json:"system"`
	SystemAction *merge.Automatic `json:"system_action,omitempty"`
}

// requestColumns are the fields of a merge request whose changes are shown.
type requestColumns struct {
	ID               int64             `json:"id"`
	IID              int               `json:"iid"`
	AuthorID         *int64            `json:"author_id"`
	Title            string            `json:"title"`
	Description      *string           `json:"description"`
	StateID          int               `json:"state_id"` // 1 opened, 2 closed, 3 merged, 4 locked
	SourceBranch     string            `json:"source_branch"`
	TargetBranch     string            `json:"target_branch"`
	SourceProjectID  *int64            `json:"source_project_id"`
	TargetProjectID  int64             `json:"target_project_id"`
	Draft            bool              `json:"draft"`
	MergeStatus      merge.MergeStatus `json:"merge_status"`
	MergeError       *string           `json:"merge_error"`
	MergeCommit      *string           `json:"merge_commit_sha"`
	MergeUserID      *int64            `json:"merge_user_id"`
	AutoMerge        bool              `json:"merge_when_pipeline_succeeds"`
	MilestoneID      *int64            `json:"milestone_id"`
	DiscussionLocked *bool             `json:"discussion_locked"`
	TimeEstimate     int64             `json:"time_estimate"`    // seconds
	TimeSpent        int64             `json:"total_time_spent"` // seconds
	LastEditedAt     *time.Time        `json:"last_edited_at"`
	LastEditedByID   *int64            `json:"last_edited_by_id"`
	UpdatedByID      *int64            `json:"updated_by_id"`
	CreatedAt        time.Time         `json:"created_at"`
	UpdatedAt        time.Time         `json:"updated_at"`
}

// requestStates are the numbers of states.
var requestStates = map[string]int{merge.Opened: 1, merge.Closed: 2, merge.Merged: 3, merge.Locked: 4}

func newRequestColumns(r merge.Request) requestColumns {
	c := requestColumns{
		ID: r.ID, IID: r.IID, AuthorID: r.AuthorID, Title: r.Title, Description: r.Description,
		StateID: requestStates[r.State], SourceBranch: r.SourceBranch, TargetBranch: r.TargetBranch,
		SourceProjectID: r.SourceProjectID, TargetProjectID: r.ProjectID, Draft: r.Draft, MergeStatus: r.ShownStatus(),
		MergeError: r.MergeError, MergeUserID: cmp.Or(r.MergedByID, r.AutoMergeUserID), AutoMerge: r.IsArmed(),
		MilestoneID: r.MilestoneID, DiscussionLocked: r.DiscussionLocked, TimeEstimate: r.TimeEstimate,
		TimeSpent: r.TimeSpent, LastEditedAt: secondsOf(r.LastEditedAt), LastEditedByID: r.LastEditedByID,
		CreatedAt: wholeSeconds(r.CreatedAt), UpdatedAt: wholeSeconds(r.UpdatedAt),
	}
	if !r.MergeCommit.IsZero() {
		c.MergeCommit = new(r.MergeCommit.String())
	}
	return c
}

// newRequestAttributes returns a merge request of a project as payloads show it.
func newRequestAttributes(
	ctx context.Context, st *db.Store, web string, p tree.Project, r merge.Request, labels []labelPayload,
) (a requestAttributes, err error) {
	s := Sender{Base: web}
	a = requestAttributes{
		requestColumns: newRequestColumns(r), AssigneeIDs: append([]int64{}, r.AssigneeIDs...),
		ReviewerIDs: append([]int64{}, r.ReviewerIDs...), Resolved: r.Unresolved == 0,
		WIP: r.Draft, Target: s.project(p), State: r.State, Labels: labels,
		URL:        fmt.Sprintf("%s/%s/-/merge_requests/%d", web, p.FullPath, r.IID),
		HumanSpent: humanTime(r.TimeSpent), HumanTime: humanTime(r.TimeEstimate),
	}
	statuses, err := merge.Statuses(ctx, st, []merge.Request{r})
	if err != nil {
		return a, err
	}
	a.Detailed = string(statuses[r.ID])
	if len(r.AssigneeIDs) > 0 {
		a.AssigneeID = &r.AssigneeIDs[0]
	}
	switch {
	case r.SourceProjectID == nil:
	case !r.FromFork():
		a.Source = &a.Target
	default:
		source, err := tree.FindProject(ctx, st, *r.SourceProjectID)
		if err != nil {
			return a, err
		}
		a.Source = new(s.project(source))
	}
	if a.First, err = merge.IsFirstContribution(ctx, st, r); err != nil || r.Head.IsZero() {
		return a, err
	}
	name := code.CommitName{ProjectID: p.ID, ID: r.Head}
	commits, err := code.CommitsNamed(ctx, st, []code.CommitName{name})
	if c, ok := commits[name]; ok {
		a.LastCommit = newBareCommit(web, p, c)
	}
	return a, err
}
