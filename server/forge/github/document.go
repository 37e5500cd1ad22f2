package github

import (
	"net/url"
	"time"
)

// User is an account of the host. Whatever refers to one that was removed has a null.
type User struct {
	ID    int64  `json:"id"`
	Login string `json:"login"`
	Name  string `json:"name,omitempty"`
	Email string `json:"email,omitempty"` // the public one, in answers about one user
	Type  string `json:"type,omitempty"`  // User, Bot, Organization
}

// Repository is a repository of the host.
type Repository struct {
	ID            int64  `json:"id"`
	Name          string `json:"name"`
	FullName      string `json:"full_name"`
	Description   string `json:"description"`
	Size          int64  `json:"size"` // kB
	Private       bool   `json:"private"`
	HasWiki       bool   `json:"has_wiki"`
	HTMLURL       string `json:"html_url"`
	CloneURL      string `json:"clone_url"`
	DefaultBranch string `json:"default_branch"`
	Fork          bool   `json:"fork"`
	Owner         *User  `json:"owner"`
}

// Path returns the path of the repository below the base: /repos/acme/site.
func (r Repository) Path() string { return "/repos/" + (&url.URL{Path: r.FullName}).EscapedPath() }

// Label is a label of a repository.
type Label struct {
	Name        string `json:"name"`
	Color       string `json:"color"` // six hexadecimal digits
	Description string `json:"description"`
}

// Milestone is a milestone of a repository.
type Milestone struct {
	Number      int        `json:"number"`
	Title       string     `json:"title"`
	Description string     `json:"description"`
	State       string     `json:"state"` // open, closed
	DueOn       *time.Time `json:"due_on"`
	CreatedAt   time.Time  `json:"created_at"`
	UpdatedAt   time.Time  `json:"updated_at"`
}

// Release is a release of a repository.
type Release struct {
	ID          int64      `json:"id"`
	TagName     *string    `json:"tag_name"`
	Name        string     `json:"name"`
	Body        string     `json:"body"`
	Draft       bool       `json:"draft"`
	CreatedAt   time.Time  `json:"created_at"`
	PublishedAt *time.Time `json:"published_at"`
	Author      *User      `json:"author"`
}

// Issue is an issue, or a pull request as lists of issues show it.
type Issue struct {
	Number      int        `json:"number"`
	Title       string     `json:"title"`
	Body        string     `json:"body"`
	State       string     `json:"state"` // open, closed
	Locked      bool       `json:"locked"`
	User        *User      `json:"user"`
	Assignees   []User     `json:"assignees"`
	Labels      []Label    `json:"labels"`
	Milestone   *Milestone `json:"milestone"`
	CreatedAt   time.Time  `json:"created_at"`
	UpdatedAt   time.Time  `json:"updated_at"`
	ClosedAt    *time.Time `json:"closed_at"`
	PullRequest *struct{}  `json:"pull_request,omitempty"` // nil: it is an issue
}

// Pull is a pull request.
type Pull struct {
	Number         int        `json:"number"`
	Title          string     `json:"title"`
	Body           string     `json:"body"`
	State          string     `json:"state"` // open, closed
	Draft          bool       `json:"draft"`
	Locked         bool       `json:"locked"`
	User           *User      `json:"user"`
	Assignee       *User      `json:"assignee"`
	Milestone      *Milestone `json:"milestone"`
	Labels         []Label    `json:"labels"`
	Head           PullRef    `json:"head"`
	Base           PullRef    `json:"base"`
	MergedAt       *time.Time `json:"merged_at"`
	MergeCommitSHA *string    `json:"merge_commit_sha"`
	MergedBy       *User      `json:"merged_by"` // only in the answer about one
	CreatedAt      time.Time  `json:"created_at"`
	UpdatedAt      time.Time  `json:"updated_at"`
	ClosedAt       *time.Time `json:"closed_at"`
}

// PullRef is one of the two branches of a pull request.
type PullRef struct {
	Ref  string      `json:"ref"`
	SHA  string      `json:"sha"`
	User *User       `json:"user"`
	Repo *Repository `json:"repo"` // nil: it was removed
}

// Review is what a reviewer said of a pull request.
type Review struct {
	ID          int64      `json:"id"`
	User        *User      `json:"user"`
	Body        string     `json:"body"`
	State       string     `json:"state"` // APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED, PENDING
	SubmittedAt *time.Time `json:"submitted_at"`
}

// Reviewers are those who were asked to review a pull request.
type Reviewers struct {
	Users []User `json:"users"`
}
