package github

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// Comment is a comment on an issue or a pull request.
type Comment struct {
	ID        int64     `json:"id"`
	Body      string    `json:"body"`
	User      *User     `json:"user"`
	IssueURL  string    `json:"issue_url"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// Number returns the number of the issue or pull request; 0 if the comment does not say it.
func (c Comment) Number() int { return lastNumber(c.IssueURL) }

// ReviewComment is a comment on a line of a pull request.
type ReviewComment struct {
	ID               int64     `json:"id"`
	InReplyTo        int64     `json:"in_reply_to_id"`
	Body             string    `json:"body"`
	User             *User     `json:"user"`
	PullURL          string    `json:"pull_request_url"`
	Path             string    `json:"path"`
	DiffHunk         string    `json:"diff_hunk"`
	CommitID         string    `json:"commit_id"`
	OriginalCommitID string    `json:"original_commit_id"`
	Side             string    `json:"side"` // LEFT, RIGHT
	Line             *int      `json:"line"` // nil: the line has changed since
	OriginalLine     *int      `json:"original_line"`
	StartLine        *int      `json:"start_line"`
	SubjectType      string    `json:"subject_type"` // line, file
	CreatedAt        time.Time `json:"created_at"`
	UpdatedAt        time.Time `json:"updated_at"`
}

// Number returns the number of the pull request; 0 if the comment does not say it.
func (c ReviewComment) Number() int { return lastNumber(c.PullURL) }

func lastNumber(address string) int {
	n, _ := strconv.Atoi(address[strings.LastIndexByte(address, '/')+1:])
	return n
}

// Event is an entry of the timeline of an issue or a pull request.
type Event struct {
	ID                int64                   `json:"id"`
	Event             string                  `json:"event"` // closed, labeled, cross-referenced, ...
	Actor             *User                   `json:"actor"`
	CreatedAt         time.Time               `json:"created_at"`
	CommitID          *string                 `json:"commit_id"`
	Label             *Label                  `json:"label,omitempty"`
	Milestone         *struct{ Title string } `json:"milestone,omitempty"`
	Assignee          *User                   `json:"assignee,omitempty"`
	Rename            *Rename                 `json:"rename,omitempty"`
	RequestedReviewer *User                   `json:"requested_reviewer,omitempty"`
	ReviewRequester   *User                   `json:"review_requester,omitempty"`
	Source            *Source                 `json:"source,omitempty"`
}

// Rename is the change of a title.
type Rename struct{ From, To string }

// Source is what a cross reference comes from.
type Source struct {
	Issue *struct {
		Number      int         `json:"number"`
		Repository  *Repository `json:"repository"`
		PullRequest *struct{}   `json:"pull_request"`
	} `json:"issue"`
}

// Collaborator is a user with a role in a repository.
type Collaborator struct {
	ID       int64  `json:"id"`
	Login    string `json:"login"`
	RoleName string `json:"role_name"` // read, triage, write, maintain, admin, or a custom one
}

// Branch is a branch as lists show it.
type Branch struct {
	Name      string `json:"name"`
	Protected bool   `json:"protected"`
}

// Protection is how a branch is protected.
type Protection struct {
	RequiredReviews *struct {
		RequireCodeOwners bool `json:"require_code_owner_reviews"`
	} `json:"required_pull_request_reviews"`
	AllowForcePushes   Enabled `json:"allow_force_pushes"`
	RequiredSignatures Enabled `json:"required_signatures"`
	Conversation       Enabled `json:"required_conversation_resolution"`
}

// Enabled is a switch, which is an object in answers.
type Enabled bool

// UnmarshalJSON implements json.Unmarshaler.
func (e *Enabled) UnmarshalJSON(data []byte) error {
	var object struct{ Enabled bool }
	err := json.Unmarshal(data, &object)
	*e = Enabled(object.Enabled)
	return err
}

// MarshalJSON implements json.Marshaler.
func (e Enabled) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Enabled bool `json:"enabled"`
	}{bool(e)})
}

// Gist is a collection of files of a user.
type Gist struct {
	ID          string              `json:"id"`
	Description string              `json:"description"`
	Public      bool                `json:"public"`
	Truncated   bool                `json:"truncated"` // not all files are listed
	HTMLURL     string              `json:"html_url"`
	GitPullURL  string              `json:"git_pull_url"`
	Files       map[string]GistFile `json:"files"`
	CreatedAt   time.Time           `json:"created_at"`
	UpdatedAt   time.Time           `json:"updated_at"`
}

// GistFile is a file of a gist.
type GistFile struct {
	Filename string `json:"filename"`
	Size     int64  `json:"size"` // bytes
	RawURL   string `json:"raw_url"`
}
