package archive

import (
	"encoding/json"
	"time"
)

// MergeRequest is a merge request into the project.
type MergeRequest struct {
	IID                       int64           `json:"iid"`
	Title                     string          `json:"title"`
	Description               *string         `json:"description"`
	State                     Word            `json:"state"` // opened, closed, merged, locked
	Draft                     bool            `json:"draft"`
	AuthorID                  *int64          `json:"author_id"`
	SourceBranch              string          `json:"source_branch"`
	TargetBranch              string          `json:"target_branch"`
	SourceProjectID           *int64          `json:"source_project_id"` // another one: a fork
	TargetProjectID           *int64          `json:"target_project_id"`
	MergeStatus               Word            `json:"merge_status"` // can_be_merged, unchecked …
	MergeError                *string         `json:"merge_error"`
	MergeParams               json.RawMessage `json:"merge_params"`
	MergeUserID               *int64          `json:"merge_user_id"` // who merged it
	MergeCommitSHA            *string         `json:"merge_commit_sha"`
	SquashCommitSHA           *string         `json:"squash_commit_sha"`
	RebaseCommitSHA           *string         `json:"rebase_commit_sha"`
	MergedCommitSHA           *string         `json:"merged_commit_sha,omitempty"`
	MergeRefSHA               *string         `json:"merge_ref_sha"`
	DiffHeadSHA               *string         `json:"diff_head_sha"`
	SourceBranchSHA           *string         `json:"source_branch_sha"`
	TargetBranchSHA           *string         `json:"target_branch_sha"`
	Squash                    bool            `json:"squash"`
	ApprovalsBeforeMerge      *int            `json:"approvals_before_merge"`
	TimeEstimate              int64           `json:"time_estimate"` // seconds
	DiscussionLocked          *bool           `json:"discussion_locked"`
	AllowMaintainerToPush     *bool           `json:"allow_maintainer_to_push"`
	MergeWhenPipelineSucceeds bool            `json:"merge_when_pipeline_succeeds"`
	UpdatedByID               *int64          `json:"updated_by_id"`
	LastEditedAt              *time.Time      `json:"last_edited_at"`
	LastEditedByID            *int64          `json:"last_edited_by_id"`
	CreatedAt                 *time.Time      `json:"created_at"`
	UpdatedAt                 *time.Time      `json:"updated_at"`

	Milestone               *Milestone               `json:"milestone"`
	Metrics                 *MergeRequestMetrics     `json:"metrics"`
	MergeRequestDiff        *Diff                    `json:"merge_request_diff"` // the latest
	LabelLinks              []LabelLink              `json:"label_links"`
	MergeRequestAssignees   []UserLink               `json:"merge_request_assignees"`
	MergeRequestReviewers   []Reviewer               `json:"merge_request_reviewers"`
	Approvals               []UserLink               `json:"approvals"`
	Notes                   []Note                   `json:"notes"`
	AwardEmoji              []AwardEmoji             `json:"award_emoji"`
	Timelogs                []Timelog                `json:"timelogs"`
	Events                  []Event                  `json:"events,omitempty"`
	ResourceLabelEvents     []ResourceLabelEvent     `json:"resource_label_events"`
	ResourceMilestoneEvents []ResourceMilestoneEvent `json:"resource_milestone_events"`
	ResourceStateEvents     []ResourceStateEvent     `json:"resource_state_events"`
}

// Reviewer is a user who was asked to review.
type Reviewer struct {
	UserID    *int64     `json:"user_id"`
	State     Word       `json:"state"` // unreviewed, reviewed, requested_changes, approved, review_started
	CreatedAt *time.Time `json:"created_at"`
}

// MergeRequestMetrics says when and by whom a merge request was merged or closed.
type MergeRequestMetrics struct {
	MergedByID     *int64     `json:"merged_by_id"`
	MergedAt       *time.Time `json:"merged_at"`
	LatestClosedBy *int64     `json:"latest_closed_by_id"`
	LatestClosedAt *time.Time `json:"latest_closed_at"`
}

// Diff is a version of a merge request: what it changes. Commits and Files may be missing; they
// follow from the repository.
type Diff struct {
	State          Word         `json:"state"` // collected, empty …
	DiffType       Word         `json:"diff_type,omitempty"`
	BaseCommitSHA  *string      `json:"base_commit_sha"`
	HeadCommitSHA  *string      `json:"head_commit_sha"`
	StartCommitSHA *string      `json:"start_commit_sha"`
	RealSize       *Word        `json:"real_size"` // files, as a text
	CommitsCount   *int         `json:"commits_count"`
	FilesCount     *int         `json:"files_count"`
	CreatedAt      *time.Time   `json:"created_at"`
	UpdatedAt      *time.Time   `json:"updated_at"`
	Commits        []DiffCommit `json:"merge_request_diff_commits,omitempty"`
	Files          []DiffFile   `json:"merge_request_diff_files,omitempty"`
}

// DiffCommit is a commit of a merge request, the newest first.
type DiffCommit struct {
	RelativeOrder  int             `json:"relative_order"`
	SHA            string          `json:"sha"`
	Message        string          `json:"message"`
	Trailers       json.RawMessage `json:"trailers,omitempty"`
	AuthoredDate   *time.Time      `json:"authored_date"`
	CommittedDate  *time.Time      `json:"committed_date"`
	CommitAuthor   *Identity       `json:"commit_author"`
	Committer      *Identity       `json:"committer"`
	AuthorName     *string         `json:"author_name,omitempty"` // this and the following: before 14
	AuthorEmail    *string         `json:"author_email,omitempty"`
	CommitterName  *string         `json:"committer_name,omitempty"`
	CommitterEmail *string         `json:"committer_email,omitempty"`
}

// Identity is a name and an address in a commit.
type Identity struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// DiffFile is a file that a merge request changes.
type DiffFile struct {
	RelativeOrder   int     `json:"relative_order"`
	OldPath         string  `json:"old_path"`
	NewPath         string  `json:"new_path"`
	AMode           string  `json:"a_mode"` // octal
	BMode           string  `json:"b_mode"`
	NewFile         bool    `json:"new_file"`
	RenamedFile     bool    `json:"renamed_file"`
	DeletedFile     bool    `json:"deleted_file"`
	TooLarge        bool    `json:"too_large"`
	Binary          *bool   `json:"binary"`
	EncodedFilePath bool    `json:"encoded_file_path,omitempty"` // the paths are base64
	UTF8Diff        *string `json:"utf8_diff"`
}
