package send

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Event is what happened in a project, as hooks are told of it.
type Event struct {
	Kind      string // the flag of hooks that get it: push_events
	Header    string // the name of the kind in the header of hooks: Push Hook
	ID        string // a UUID, the same in all attempts to tell of it
	Base      string // the address of this instance, without a trailing slash
	Branch    string // empty: the event is not on a branch
	Protected bool   // the branch is protected
	Unchanged bool   // of a pipeline: the one before it came to the same
	Sample    bool   // a user tests the integration: settings that narrow the events do not count

	Body json.RawMessage // what hooks get

	payload
}

// New returns an event with its body read. It fails if the body is not that of a hook.
func New(e Event) (Event, error) {
	into := any(&e.payload)
	if e.Kind == JobEvents { // of which only the body is sent: its commit and environment have forms of their own
		into = &struct {
			Project *project `json:"project"`
			User    *user    `json:"user"`
		}{&e.Project, &e.User}
	}
	if err := json.Unmarshal(e.Body, into); err != nil {
		return e, fmt.Errorf("read the body of %s: %w", e.Kind, err)
	}
	return e, nil
}

// payload is what messages read of the body of a hook, of any kind (gaps §13.6).
type payload struct {
	ObjectKind  string     `json:"object_kind"`
	EventType   string     `json:"event_type"`
	Ref         string     `json:"ref"`
	Before      string     `json:"before"`
	After       string     `json:"after"`
	CheckoutSHA string     `json:"checkout_sha"`
	UserName    string     `json:"user_name"`
	Username    string     `json:"user_username"`
	UserEmail   string     `json:"user_email"`
	UserAvatar  string     `json:"user_avatar"`
	Commits     []commit   `json:"commits"`
	CommitCount int        `json:"total_commits_count"`
	User        user       `json:"user"`
	Project     project    `json:"project"`
	Object      attributes `json:"object_attributes"`
	Labels      []label    `json:"labels"`
	Issue       *target    `json:"issue"`
	Merge       *target    `json:"merge_request"`
	Snippet     *target    `json:"snippet"`
	Commit      *commit    `json:"commit"`

	// Of deployments.
	Status        string `json:"status"`
	Environment   string `json:"environment"`
	ShortSHA      string `json:"short_sha"`
	CommitTitle   string `json:"commit_title"`
	CommitURL     string `json:"commit_url"`
	DeployableURL string `json:"deployable_url"`
}

type user struct {
	Name      string `json:"name"`
	Username  string `json:"username"`
	AvatarURL string `json:"avatar_url"`
}

type project struct {
	ID            int64  `json:"id"`
	Name          string `json:"name"`
	WebURL        string `json:"web_url"`
	GitHTTPURL    string `json:"git_http_url"`
	Path          string `json:"path_with_namespace"`
	DefaultBranch string `json:"default_branch"`
}

type commit struct {
	ID      string `json:"id"`
	Message string `json:"message"`
	Title   string `json:"title"`
	URL     string `json:"url"`
	Author  struct {
		Name  string `json:"name"`
		Email string `json:"email"`
	} `json:"author"`
	Added    []string `json:"added"`
	Modified []string `json:"modified"`
	Removed  []string `json:"removed"`
}

// attributes are those of issues, notes, merge requests, pipelines, wiki pages and alerts.
type attributes struct {
	ID           int64    `json:"id"`
	IID          int64    `json:"iid"`
	Title        string   `json:"title"`
	Description  string   `json:"description"`
	Type         string   `json:"type"`
	URL          string   `json:"url"`
	Action       string   `json:"action"`
	OldRev       string   `json:"oldrev"` // of a merge request that got new commits
	Note         string   `json:"note"`
	NoteableType string   `json:"noteable_type"`
	System       bool     `json:"system"`
	Ref          string   `json:"ref"`
	Tag          bool     `json:"tag"`
	SHA          string   `json:"sha"`
	Status       string   `json:"status"`
	Detailed     string   `json:"detailed_status"`
	Duration     float64  `json:"duration"`
	SourceBranch string   `json:"source_branch"`
	TargetBranch string   `json:"target_branch"`
	Message      string   `json:"message"` // of the commit of a wiki page
	Severity     string   `json:"severity"`
	LastCommit   *commit  `json:"last_commit"`
	Labels       []label  `json:"labels"`
	Stages       []string `json:"stages"`
}

type label struct {
	Title string `json:"title"`
}

// target is what a note is about.
type target struct {
	ID     int64   `json:"id"`
	IID    int64   `json:"iid"`
	Title  string  `json:"title"`
	Labels []label `json:"labels"`
}

// noObject is the id of a commit that does not exist: before a push that creates a branch, and
// after one that deletes it.
const noObject = "0000000000000000000000000000000000000000"

// shortID returns a commit id as texts show it.
func shortID(id string) string { return id[:min(len(id), 8)] }

func (e Event) deletes() bool { return e.After == noObject }

// refName returns the name of the branch or tag that was pushed.
func (e Event) refName() string {
	_, name, _ := strings.Cut(strings.TrimPrefix(e.Ref, "refs/"), "/")
	return name
}

// person returns the user who caused the event, with the user name.
func (e Event) person() user {
	if e.User.Username != "" {
		return e.User
	}
	return user{e.UserName, e.Username, e.UserAvatar}
}

// labels returns the labels of the issue or merge request that the event is about.
func (e Event) labels() []label {
	switch {
	case e.Kind != NoteEvents && e.Kind != ConfidentialNotes:
		return append(e.Labels, e.Object.Labels...)
	case e.Issue != nil:
		return e.Issue.Labels
	case e.Merge != nil:
		return e.Merge.Labels
	}
	return nil
}

// The kinds of events that integrations act on.
const (
	PushEvents         = "push_events"
	TagPushEvents      = "tag_push_events"
	IssuesEvents       = "issues_events"
	ConfidentialIssues = "confidential_issues_events"
	NoteEvents         = "note_events"
	ConfidentialNotes  = "confidential_note_events"
	MergeRequests      = "merge_requests_events"
	PipelineEvents     = "pipeline_events"
	JobEvents          = "job_events"
	WikiPageEvents     = "wiki_page_events"
	DeploymentEvents   = "deployment_events"
	AlertEvents        = "alert_events"
)
