package merge

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/git/object"
	"hew/server/note"
	"hew/server/tree"
	"hew/server/work"
)

// The states of merge requests (spec 2 §2.4, gaps §7.1). A locked one is being merged.
const (
	Opened = "opened"
	Closed = "closed"
	Locked = "locked"
	Merged = "merged"
)

// MergeStatus says whether a merge request can be merged as far as git is concerned.
type MergeStatus string

// The values of merge_status (gaps §7.1).
const (
	Preparing             MergeStatus = "preparing" // has no version yet; never shown
	Unchecked             MergeStatus = "unchecked"
	Checking              MergeStatus = "checking"
	CanBeMerged           MergeStatus = "can_be_merged"
	CannotBeMerged        MergeStatus = "cannot_be_merged"         // there are conflicts
	CannotBeMergedRecheck MergeStatus = "cannot_be_merged_recheck" // there were, before the last push
)

// Request is a row of merge_requests with what is shown of it (spec 2 §2.4).
type Request struct {
	ID                 int64       `db:"id,auto"`
	ProjectID          int64       `db:"project_id"`        // whose target branch it is
	SourceProjectID    *int64      `db:"source_project_id"` // nil: the fork is deleted
	IID                int         `db:"iid"`               // its number in the target project
	AuthorID           *int64      `db:"author_id"`
	Title              string      `db:"title"`
	Description        *string     `db:"description"`
	State              string      `db:"state"` // Opened, Closed, Locked, Merged
	Draft              bool        `db:"draft"` // follows from the title: see IsDraft
	SourceBranch       string      `db:"source_branch"`
	TargetBranch       string      `db:"target_branch"`
	Head               object.ID   `db:"head_oid"`  // these three are those of the last version; zero: there is none
	Base               object.ID   `db:"base_oid"`  // the merge base
	Start              object.ID   `db:"start_oid"` // the head of the target branch at that time
	MergeStatus        MergeStatus `db:"merge_status"`
	CheckedTarget      object.ID   `db:"checked_target_oid"` // the head of the target branch that MergeStatus is about
	Behind             bool        `db:"behind"`             // it had commits that the source branch lacks
	MergeError         *string     `db:"merge_error"`        // why the last merge or rebase failed
	RebaseSince        *time.Time  `db:"rebase_since"`       // nil: no rebase is under way
	Squash             bool        `db:"squash"`
	RemoveSource       bool        `db:"remove_source"` // the author wants the source branch removed
	ShouldRemove       *bool       `db:"should_remove"` // what the merge asked for
	AllowCollaboration bool        `db:"allow_collaboration"`
	MergeCommit        object.ID   `db:"merge_commit_oid"` // zero: not merged, or fast-forward
	SquashCommit       object.ID   `db:"squash_commit_oid"`
	MergedHead         object.ID   `db:"merged_oid"` // the head of the target branch after the merge
	MergedByID         *int64      `db:"merged_by_id"`
	MergedAt           *time.Time  `db:"merged_at"`
	ClosedByID         *int64      `db:"closed_by_id"`
	ClosedAt           *time.Time  `db:"closed_at"`
	PreparedAt         *time.Time  `db:"prepared_at"`
	MilestoneID        *int64      `db:"milestone_id"`
	DiscussionLocked   *bool       `db:"discussion_locked"`
	RulesOverridden    bool        `db:"rules_overridden"` // it has approval rules of its own, maybe none
	TimeEstimate       int64       `db:"time_estimate"`    // seconds
	TimeSpent          int64       `db:"time_spent"`       // seconds
	TaskCount          int         `db:"task_count"`
	TasksDone          int         `db:"tasks_done"`
	// HeadPipelineID is the last pipeline of the head, which a merge may have to wait for.
	HeadPipelineID  *int64          `db:"head_pipeline_id,auto"`
	AutoMergeUserID *int64          `db:"auto_merge_user_id,auto"` // who wants it merged once that succeeds
	AutoMerge       json.RawMessage `db:"auto_merge,auto"`         // and how
	AutoMergeUser   *tree.Person    `db:"auto_merge_user,auto"`
	Upvotes         int             `db:"upvotes,auto"`
	Downvotes       int             `db:"downvotes,auto"`
	LastEditedAt    *time.Time      `db:"last_edited_at"`
	LastEditedByID  *int64          `db:"last_edited_by_id"`
	CreatedAt       time.Time       `db:"created_at"`
	UpdatedAt       time.Time       `db:"updated_at,auto"`

	Path        string        `db:"path,auto"` // full path of the target project
	Author      *tree.Person  `db:"author,auto"`
	MergedBy    *tree.Person  `db:"merged_by,auto"`
	ClosedBy    *tree.Person  `db:"closed_by,auto"`
	Assignees   []tree.Person `db:"assignees,auto"` // by id
	AssigneeIDs []int64       `db:"assignee_ids,auto"`
	Reviewers   []tree.Person `db:"reviewers,auto"` // by id
	ReviewerIDs []int64       `db:"reviewer_ids,auto"`
	LabelIDs    []int64       `db:"label_ids,auto"`
	SourceHead  object.ID     `db:"source_head,auto"` // zero: the branch does not exist
	TargetHead  object.ID     `db:"target_head,auto"`
	NoteCount   int           `db:"note_count,auto"` // of people
	Unresolved  int           `db:"unresolved,auto"` // discussions that somebody has to resolve
	// ApprovalsBefore is how many approvals of any approver a rule of its own requires; nil without
	// one.
	ApprovalsBefore *int `db:"approvals_before,auto"`
}

// BranchGone reports whether one of the branches does not exist any more.
func (r Request) BranchGone() bool { return r.SourceHead.IsZero() || r.TargetHead.IsZero() }

// GitStatus returns MergeStatus as far as it still holds: after a push to one of the branches it is
// unknown.
func (r Request) GitStatus() MergeStatus {
	known := r.MergeStatus == CanBeMerged || r.MergeStatus == CannotBeMerged
	switch {
	case r.IsOpen() && r.BranchGone():
		return CannotBeMerged
	case !known || !r.IsOpen() || r.CheckedTarget == r.TargetHead && r.SourceHead == r.Head:
		return r.MergeStatus
	case r.MergeStatus == CannotBeMerged:
		return CannotBeMergedRecheck
	}
	return Unchecked
}

// ShownStatus returns GitStatus as answers and hooks call it: what has no version yet is being
// checked.
func (r Request) ShownStatus() MergeStatus {
	if status := r.GitStatus(); status != Preparing {
		return status
	}
	return Checking
}

// Target returns the merge request as the target of notes.
func (r Request) Target() note.Target {
	return note.Target{
		Container: db.Container{ProjectID: &r.ProjectID}, Kind: note.MergeRequest, ID: r.ID, IID: r.IID,
	}
}

// IsAuthor reports whether a user made the merge request.
func (r Request) IsAuthor(userID int64) bool { return r.AuthorID != nil && *r.AuthorID == userID }

// FromFork reports whether the source branch is in another project, or was in one that is gone.
func (r Request) FromFork() bool {
	return r.SourceProjectID == nil || *r.SourceProjectID != r.ProjectID
}

// IsOpen reports whether the merge request is neither closed nor merged.
func (r Request) IsOpen() bool { return r.State == Opened || r.State == Locked }

// ReferenceFrom returns how the merge request is referred to from a group or project with a full
// path: "!1" within its project, "acme/site!1" from elsewhere.
func (r Request) ReferenceFrom(from string) string {
	return fmt.Sprintf("%s!%d", work.RelativePath(r.Path, from), r.IID)
}

// RelativeTo returns how the merge request is referred to from the group or project with a full
// path that it was asked in; from nowhere if that is empty.
func (r Request) RelativeTo(asked string) string {
	if below, ok := strings.CutPrefix(r.Path, asked+"/"); ok {
		return fmt.Sprintf("%s!%d", below, r.IID)
	}
	return r.ReferenceFrom(asked)
}

// HeadRef returns the hidden ref of the target project that keeps the head of the source branch.
func (r Request) HeadRef() string { return fmt.Sprintf("refs/merge-requests/%d/head", r.IID) }

// peopleColumn returns a column of the users of a table of a merge request t.
func peopleColumn(table string) string {
	return `coalesce((select jsonb_agg(jsonb_build_object('id', a.id, 'username', a.username, 'name', a.name,
	        'state', a.state, 'avatar', a.avatar) order by a.id)
	    from ` + table + ` i join users a on a.id = i.user_id where i.merge_request_id = t.id), '[]')`
}

// branchHead returns a column of the commit that a branch points to.
func branchHead(project, branch string) string {
	return `(select f.oid from repositories o join refs f on f.repository_id = o.id
		where o.project_id = ` + project + ` and o.kind = 'project' and f.name = 'refs/heads/' || ` + branch + `)`
}

// requestColumns are the columns of a merge request t of a project p.
var requestColumns = `
	t.*, p.full_path as path, ` + tree.PersonColumn("t.author_id") + ` as author,
	` + tree.PersonColumn("t.merged_by_id") + ` as merged_by, ` + tree.PersonColumn("t.closed_by_id") + ` as closed_by,
	` + tree.PersonColumn("t.auto_merge_user_id") + ` as auto_merge_user,
	` + peopleColumn("merge_request_assignees") + ` as assignees,
	` + peopleColumn("merge_request_reviewers") + ` as reviewers,
	array(select i.user_id from merge_request_assignees i where i.merge_request_id = t.id order by 1) as assignee_ids,
	array(select i.user_id from merge_request_reviewers i where i.merge_request_id = t.id order by 1) as reviewer_ids,
	array(select i.label_id from merge_request_labels i where i.merge_request_id = t.id order by 1) as label_ids,
	` + branchHead("t.source_project_id", "t.source_branch") + ` as source_head,
	` + branchHead("t.project_id", "t.target_branch") + ` as target_head,
	(select count(*)::int from notes o where o.merge_request_id = t.id and not o.system) as note_count,
	(select count(distinct o.discussion_id)::int from notes o
	    where o.merge_request_id = t.id and o.resolvable and o.resolved_at is null) as unresolved,
	(select o.approvals_required from merge_request_rules o
	    where o.merge_request_id = t.id and o.rule_type = 'any_approver' and not o.copied) as approvals_before`

var selectRequests = `select ` + requestColumns + ` from merge_requests t join projects p on p.id = t.project_id`

// Requests returns the merge requests of a target project.
func Requests(s *db.Store, projectID int64) db.Held[Request] {
	h := db.NewHeld[Request](s, db.Container{ProjectID: &projectID}, "merge_requests")
	h.What, h.Select = "Merge Request", selectRequests
	return h
}

// RequestsByID returns merge requests of any project by their ids, including those that a caller
// may not see.
func RequestsByID(ctx context.Context, s *db.Store, ids []int64) (map[int64]Request, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := db.Many[Request](ctx, s, selectRequests+` where t.id = any(@ids)`, pgx.NamedArgs{"ids": ids})
	byID := make(map[int64]Request, len(list))
	for _, r := range list {
		byID[r.ID] = r
	}
	return byID, err
}
