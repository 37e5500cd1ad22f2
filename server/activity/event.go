package activity

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// Action says what a user did, as filters of the API write it.
type Action string

// The actions.
const (
	Created   Action = "created"
	Updated   Action = "updated"
	Closed    Action = "closed"
	Reopened  Action = "reopened"
	Pushing   Action = "pushed"
	Commented Action = "commented"
	Joined    Action = "joined"
	Left      Action = "left"
	Destroyed Action = "destroyed"
	Expired   Action = "expired"
	Merged    Action = "merged"
	Approved  Action = "approved"
)

// The types of targets, as the API shows them.
const (
	issueType     = "Issue"
	requestType   = "MergeRequest"
	milestoneType = "Milestone"
	noteType      = "Note"
	pageType      = "WikiPage::Meta"
	snippetType   = "Snippet"
)

// Event is a row of user_events.
type Event struct {
	ID int64 `db:"id,auto"`
	db.Container
	AuthorID    int64        `db:"author_id"`
	Author      *tree.Person `db:"author,auto"`
	Action      Action       `db:"action"`
	TargetType  *string      `db:"target_type"`
	TargetID    *int64       `db:"target_id"`
	TargetIID   *int         `db:"target_iid"`
	IssueID     *int64       `db:"issue_id"`
	RequestID   *int64       `db:"merge_request_id"`
	SnippetID   *int64       `db:"snippet_id"`
	NoteID      *int64       `db:"note_id"`
	MilestoneID *int64       `db:"milestone_id"`
	Title       *string      `db:"title"`
	Push        *Push        `db:"push"`
	Page        *Page        `db:"page"`
	CreatedAt   time.Time    `db:"created_at,auto"`
	TargetTitle *string      `db:"target_title,auto"`
	Note        *Note        `db:"note,auto"`
}

// Push is what a push changed: a ref, or several in the same way.
type Push struct {
	CommitCount int     `json:"commit_count"`
	Action      string  `json:"action"`   // created, removed, pushed
	RefType     string  `json:"ref_type"` // branch, tag
	CommitFrom  *string `json:"commit_from"`
	CommitTo    *string `json:"commit_to"`
	Ref         *string `json:"ref"` // nil for several
	CommitTitle *string `json:"commit_title"`
	RefCount    *int    `json:"ref_count"` // nil for one
}

// Page is a page of a wiki.
type Page struct {
	Format string `json:"format"`
	Slug   string `json:"slug"`
	Title  string `json:"title"`
	MetaID *int64 `json:"wiki_page_meta_id"`
}

// Note is a note that an event is about.
type Note struct {
	ID          int64        `json:"id"`
	Type        *string      `json:"type"`
	Body        string       `json:"body"`
	Author      *tree.Person `json:"author"`
	CreatedAt   time.Time    `json:"created_at"`
	UpdatedAt   time.Time    `json:"updated_at"`
	System      bool         `json:"system"`
	Kind        string       `json:"kind"` // of what it is on
	NoteableID  *int64       `json:"noteable_id"`
	NoteableIID *int         `json:"noteable_iid"`
	CommitID    *string      `json:"commit_id"`
	Resolvable  bool         `json:"resolvable"`
	Internal    bool         `json:"internal"`
}

// tables join events d with what they are about: the issue t, the merge request r, the snippet x,
// the note o and the milestone m; and with the project p and the group or the namespace of the
// project, n.
const tables = `
	from user_events d left join issues t on t.id = d.issue_id left join merge_requests r on r.id = d.merge_request_id
		left join snippets x on x.id = d.snippet_id left join notes o on o.id = d.note_id
		left join milestones m on m.id = d.milestone_id
		left join projects p on p.id = d.project_id join namespaces n on n.id = coalesce(d.namespace_id, p.namespace_id)`

var selectEvents = `select d.*, ` + tree.PersonColumn("d.author_id") + ` as author,
	coalesce(t.title, r.title, x.title, m.title, d.title) as target_title,
	case when o.id is not null then jsonb_build_object('id', o.id, 'type', o.type, 'body', o.body,
		'author', ` + tree.PersonColumn("o.author_id") + `, 'created_at', o.created_at, 'updated_at', o.updated_at,
		'system', o.system, 'kind', case when t.id is not null then 'Issue' when r.id is not null then 'MergeRequest'
		when x.id is not null then 'Snippet' else 'Commit' end, 'noteable_id', coalesce(t.id, r.id, x.id), 'noteable_iid', coalesce(t.iid, r.iid), 'commit_id', encode(o.commit_oid, 'hex'), 'resolvable', o.resolvable,
		'internal', o.internal) end as note` + tables

// add stores an event, and that its author was active today.
func add(ctx context.Context, st *db.Store, e Event) error {
	if _, err := st.Insert(ctx, "user_events", e); err != nil {
		return err
	}
	return st.Exec(ctx, `
		update users set last_activity_on = current_date
		where id = @id and last_activity_on is distinct from current_date`, pgx.NamedArgs{"id": e.AuthorID})
}
