package api

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"hew/server/db"
	"hew/server/git/object"
	"hew/server/merge"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
	"hew/server/work"
	workapi "hew/server/work/api"
)

// requestCore is what all views of a merge request begin with.
type requestCore struct {
	ID          int64     `json:"id"`
	IID         int       `json:"iid"`
	ProjectID   int64     `json:"project_id"`
	Title       string    `json:"title"`
	Description *string   `json:"description"`
	State       string    `json:"state"`
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
}

func coreOf(r merge.Request) requestCore {
	return requestCore{r.ID, r.IID, r.ProjectID, r.Title, r.Description, r.State, r.CreatedAt, r.UpdatedAt}
}

// requestView is a merge request as lists show it (spec 2 §2.4).
type requestView struct {
	requestCore
	MergedBy            *view.BasicUser        `json:"merged_by"`
	MergeUser           *view.BasicUser        `json:"merge_user"`
	MergedAt            *time.Time             `json:"merged_at"`
	ClosedBy            *view.BasicUser        `json:"closed_by"`
	ClosedAt            *time.Time             `json:"closed_at"`
	TargetBranch        string                 `json:"target_branch"`
	SourceBranch        string                 `json:"source_branch"`
	NoteCount           int                    `json:"user_notes_count"`
	Upvotes             int                    `json:"upvotes"`
	Downvotes           int                    `json:"downvotes"`
	Author              *view.BasicUser        `json:"author"`
	Assignees           []view.BasicUser       `json:"assignees"`
	Assignee            *view.BasicUser        `json:"assignee"`
	Reviewers           []view.BasicUser       `json:"reviewers"`
	SourceProjectID     *int64                 `json:"source_project_id"`
	TargetProjectID     int64                  `json:"target_project_id"`
	Labels              any                    `json:"labels"` // names, or all of their fields
	Draft               bool                   `json:"draft"`
	WorkInProgress      bool                   `json:"work_in_progress"` // as Draft
	Milestone           *workapi.MilestoneView `json:"milestone"`
	AutoMerge           bool                   `json:"merge_when_pipeline_succeeds"`
	MergeStatus         merge.MergeStatus      `json:"merge_status"`
	DetailedStatus      merge.Status           `json:"detailed_merge_status"`
	SHA                 *string                `json:"sha"`
	MergeCommit         *string                `json:"merge_commit_sha"`
	SquashCommit        *string                `json:"squash_commit_sha"`
	DiscussionLocked    *bool                  `json:"discussion_locked"`
	ShouldRemove        *bool                  `json:"should_remove_source_branch"`
	RemoveSource        bool                   `json:"force_remove_source_branch"`
	PreparedAt          *time.Time             `json:"prepared_at"`
	AllowCollaboration  *bool                  `json:"allow_collaboration,omitempty"` // of forks
	AllowMaintainer     *bool                  `json:"allow_maintainer_to_push,omitempty"`
	Reference           string                 `json:"reference"`
	References          workapi.References     `json:"references"`
	WebURL              string                 `json:"web_url"`
	TimeStats           workapi.TimeStats      `json:"time_stats"`
	Squash              bool                   `json:"squash"`
	SquashOnMerge       bool                   `json:"squash_on_merge"`
	Tasks               workapi.TaskStatus     `json:"task_completion_status"`
	HasConflicts        bool                   `json:"has_conflicts"`
	DiscussionsResolved bool                   `json:"blocking_discussions_resolved"`
	ApprovalsBefore     *int                   `json:"approvals_before_merge"`
}

// requestViews shows merge requests.
type requestViews struct {
	*view.Site
	from    string // the full path of the group or project that the caller asked in; empty: of none
	details bool   // of labels
}

// of returns the views of merge requests for a caller. What they refer to is read once for all of
// them.
func (v requestViews) of(ctx context.Context, s scope.Anyone, list []merge.Request) ([]requestView, error) {
	var labelIDs, milestoneIDs []int64
	for _, r := range list {
		labelIDs = append(labelIDs, r.LabelIDs...)
		milestoneIDs = db.AppendNotNull(milestoneIDs, r.MilestoneID)
	}
	labels, err := work.LabelsByID(ctx, s.Store, labelIDs)
	if err != nil {
		return nil, err
	}
	var milestones map[int64]work.Milestone
	if len(milestoneIDs) > 0 {
		if milestones, err = work.MilestonesByID(ctx, s.Store, milestoneIDs); err != nil {
			return nil, err
		}
	}
	statuses, err := merge.Statuses(ctx, s.Store, list)
	if err != nil {
		return nil, err
	}
	views := make([]requestView, len(list))
	for n, r := range list {
		views[n] = v.view(r)
		views[n].DetailedStatus = statuses[r.ID]
		views[n].Labels = workapi.LabelsShown(labels, r.LabelIDs, v.details)
		if r.MilestoneID != nil {
			if m, ok := milestones[*r.MilestoneID]; ok {
				views[n].Milestone = new(workapi.ViewMilestone(v.Site, m))
			}
		}
	}
	return views, nil
}

// view returns the view of a merge request without what it refers to.
func (v requestViews) view(r merge.Request) requestView {
	answer := requestView{
		requestCore: coreOf(r), MergedAt: r.MergedAt, ClosedAt: r.ClosedAt,
		MergedBy: v.Author(r.MergedBy), MergeUser: v.Author(cmp.Or(r.MergedBy, r.AutoMergeUser)),
		ClosedBy:     v.Author(r.ClosedBy),
		TargetBranch: r.TargetBranch, SourceBranch: r.SourceBranch, NoteCount: r.NoteCount, Upvotes: r.Upvotes,
		Downvotes: r.Downvotes, Author: v.Author(r.Author), Assignees: v.people(r.Assignees),
		Reviewers: v.people(r.Reviewers), SourceProjectID: r.SourceProjectID, TargetProjectID: r.ProjectID,
		Draft: r.Draft, WorkInProgress: r.Draft, MergeStatus: r.ShownStatus(),
		SHA: sha(r.Head), MergeCommit: sha(r.MergeCommit), SquashCommit: sha(r.SquashCommit),
		AutoMerge: r.IsArmed(), DiscussionLocked: r.DiscussionLocked, ShouldRemove: r.ShouldRemove,
		RemoveSource: r.RemoveSource,
		PreparedAt:   r.PreparedAt, Reference: fmt.Sprintf("!%d", r.IID),
		References: workapi.References{
			Short: fmt.Sprintf("!%d", r.IID), Relative: r.RelativeTo(v.from), Full: r.ReferenceFrom(""),
		},
		WebURL:    v.url(r),
		TimeStats: workapi.NewTimeStats(r.TimeEstimate, r.TimeSpent), Squash: r.Squash, SquashOnMerge: r.Squash,
		Tasks:        workapi.TaskStatus{Count: r.TaskCount, Completed: r.TasksDone},
		HasConflicts: r.GitStatus() == merge.CannotBeMerged && !r.BranchGone(), DiscussionsResolved: r.Unresolved == 0,
		ApprovalsBefore: r.ApprovalsBefore,
	}
	if len(answer.Assignees) > 0 {
		answer.Assignee = &answer.Assignees[0]
	}
	if r.FromFork() {
		answer.AllowCollaboration, answer.AllowMaintainer = &r.AllowCollaboration, &r.AllowCollaboration
	}
	return answer
}

// url returns the address of the page of a merge request.
func (v requestViews) url(r merge.Request) string {
	return v.Web(fmt.Sprintf("%s/-/merge_requests/%d", r.Path, r.IID))
}

func (v requestViews) people(list []tree.Person) []view.BasicUser {
	shown := make([]view.BasicUser, len(list))
	for n := range list {
		shown[n] = *v.Author(&list[n])
	}
	return shown
}

// sha returns an id as answers show it, nil for none.
func sha(id object.ID) *string {
	if id.IsZero() {
		return nil
	}
	return new(id.String())
}
