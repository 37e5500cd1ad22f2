package bitbucketserver

import (
	"encoding/json"
	"strings"
	"time"
)

// User is an account of the host.
type User struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	Slug        string `json:"slug"`
	Email       string `json:"emailAddress"`
	DisplayName string `json:"displayName"`
}

// Time is a time in milliseconds since 1970.
type Time struct{ time.Time }

// UnmarshalJSON implements json.Unmarshaler.
func (t *Time) UnmarshalJSON(data []byte) error {
	var ms *int64
	err := json.Unmarshal(data, &ms)
	if err == nil && ms != nil {
		t.Time = time.UnixMilli(*ms).UTC()
	}
	return err
}

// MarshalJSON implements json.Marshaler.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return json.Marshal(t.UnixMilli())
}

// Repository is a repository of a project.
type Repository struct {
	ID          int64  `json:"id"`
	Slug        string `json:"slug"`
	Name        string `json:"name"`
	Description string `json:"description"`
	SCM         string `json:"scmId"` // git
	Public      bool   `json:"public"`
	Project     struct {
		Key    string `json:"key"`
		Name   string `json:"name"`
		Public bool   `json:"public"`
	} `json:"project"`
	Links struct {
		Clone []struct {
			Name string `json:"name"` // http, ssh
			Href string `json:"href"`
		} `json:"clone"`
		Self []struct {
			Href string `json:"href"`
		} `json:"self"`
	} `json:"links"`
}

// CloneURL returns the address for git clone over HTTP; "" if there is none.
func (r Repository) CloneURL() string {
	for _, link := range r.Links.Clone {
		if strings.HasPrefix(link.Name, "http") {
			return link.Href
		}
	}
	return ""
}

// WebURL returns the address of the page of the repository; "" if the host does not say it.
func (r Repository) WebURL() string {
	if len(r.Links.Self) == 0 {
		return ""
	}
	return r.Links.Self[0].Href
}

// Pull is a pull request.
type Pull struct {
	ID          int           `json:"id"`
	Title       string        `json:"title"`
	Description string        `json:"description"`
	State       string        `json:"state"` // OPEN, MERGED, DECLINED
	CreatedDate Time          `json:"createdDate"`
	UpdatedDate Time          `json:"updatedDate"`
	ClosedDate  Time          `json:"closedDate"`
	Author      Participant   `json:"author"`
	Reviewers   []Participant `json:"reviewers"`
	From        Ref           `json:"fromRef"`
	To          Ref           `json:"toRef"`
}

// Participant is the role of a user in a pull request.
type Participant struct {
	User     User   `json:"user"`
	Approved bool   `json:"approved"`
	Status   string `json:"status,omitempty"` // APPROVED, UNAPPROVED, NEEDS_WORK
}

// Ref is one of the two branches of a pull request.
type Ref struct {
	ID           string      `json:"id"`        // refs/heads/main
	DisplayID    string      `json:"displayId"` // main
	LatestCommit string      `json:"latestCommit"`
	Repository   *Repository `json:"repository"` // nil: it was removed
}

// Branch returns the name of the branch.
func (r Ref) Branch() string {
	if name := strings.TrimPrefix(r.ID, "refs/heads/"); name != "" {
		return name
	}
	return r.DisplayID
}

// Activity is an entry of the history of a pull request.
type Activity struct {
	ID          int64    `json:"id"`
	CreatedDate Time     `json:"createdDate"`
	User        User     `json:"user"`
	Action      string   `json:"action"` // COMMENTED, MERGED, APPROVED, DECLINED, OPENED, RESCOPED, ...
	Comment     *Comment `json:"comment,omitempty"`
	Anchor      *Anchor  `json:"commentAnchor,omitempty"` // nil: the comment is not on a line
	Commit      *Commit  `json:"commit,omitempty"`        // of a merge
}

// Comment is a comment with its replies.
type Comment struct {
	ID          int64     `json:"id"`
	Text        string    `json:"text"`
	Author      User      `json:"author"`
	CreatedDate Time      `json:"createdDate"`
	UpdatedDate Time      `json:"updatedDate"`
	Comments    []Comment `json:"comments,omitempty"`
}

// Anchor is the line that a comment is on.
type Anchor struct {
	FromHash string `json:"fromHash"`
	ToHash   string `json:"toHash"`
	Path     string `json:"path"`
	SrcPath  string `json:"srcPath"`
	Line     int    `json:"line"`     // 0: the comment is on the file
	LineType string `json:"lineType"` // ADDED, REMOVED, CONTEXT
	FileType string `json:"fileType"` // FROM, TO: which side the line number counts on
}

// Commit is a commit that a merge made.
type Commit struct {
	ID                 string `json:"id"`
	Committer          User   `json:"committer"`
	CommitterTimestamp Time   `json:"committerTimestamp"`
}

// Permission is the permission of a user in a project.
type Permission struct {
	User       User   `json:"user"`
	Permission string `json:"permission"`
}
