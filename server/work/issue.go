package work

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/note"
	"hew/server/tree"
)

// The states of issues and epics (spec 2 §3).
const (
	Opened = "opened"
	Closed = "closed"
)

// Issue is a row of issues with what is shown of it (spec 2 §2.3).
type Issue struct {
	ID               int64      `db:"id,auto"`
	ProjectID        int64      `db:"project_id"`
	IID              int        `db:"iid"` // its number in the project
	AuthorID         *int64     `db:"author_id"`
	Title            string     `db:"title"`
	Description      *string    `db:"description"`
	State            string     `db:"state"` // Opened, Closed
	Type             string     `db:"type"`  // issue, incident, test_case, task
	Confidential     bool       `db:"confidential"`
	DiscussionLocked *bool      `db:"discussion_locked"`
	MilestoneID      *int64     `db:"milestone_id"`
	IterationID      *int64     `db:"iteration_id"`
	EpicID           *int64     `db:"epic_id"`
	EpicIssueID      *int64     `db:"epic_issue_id"` // the id of the pair of both
	EpicPosition     *int       `db:"epic_position"` // among the issues of the epic
	Weight           *int       `db:"weight"`
	HealthStatus     *string    `db:"health_status"`
	Severity         string     `db:"severity"`
	DueDate          *db.Date   `db:"due_date"`
	RelativePosition *int       `db:"relative_position"`
	TimeEstimate     int64      `db:"time_estimate"` // seconds
	TimeSpent        int64      `db:"time_spent"`    // seconds
	TaskCount        int        `db:"task_count"`
	TasksDone        int        `db:"tasks_done"`
	Upvotes          int        `db:"upvotes,auto"`
	Downvotes        int        `db:"downvotes,auto"`
	ClosedAt         *time.Time `db:"closed_at"`
	ClosedByID       *int64     `db:"closed_by_id"`
	MovedToID        *int64     `db:"moved_to_id"`
	DuplicateOfID    *int64     `db:"duplicate_of_id"`
	PromotedToID     *int64     `db:"promoted_to_id"`
	LastEditedAt     *time.Time `db:"last_edited_at"`
	LastEditedByID   *int64     `db:"last_edited_by_id"`
	CreatedAt        time.Time  `db:"created_at"`
	UpdatedAt        time.Time  `db:"updated_at,auto"`

	Path        string        `db:"path,auto"` // full path of the project
	Author      *tree.Person  `db:"author,auto"`
	ClosedBy    *tree.Person  `db:"closed_by,auto"`
	Assignees   []tree.Person `db:"assignees,auto"` // by id
	AssigneeIDs []int64       `db:"assignee_ids,auto"`
	LabelIDs    []int64       `db:"label_ids,auto"`
	NoteCount   int           `db:"note_count,auto"`   // of people, without the internal ones
	SecretNotes int           `db:"secret_notes,auto"` // internal notes
}

// Target returns the issue as the target of notes.
func (i Issue) Target() note.Target {
	return note.Target{
		Container: db.Container{ProjectID: &i.ProjectID}, Kind: note.Issue, ID: i.ID, IID: i.IID,
	}
}

// IsAuthor reports whether a user made the issue.
func (i Issue) IsAuthor(userID int64) bool { return i.AuthorID != nil && *i.AuthorID == userID }

// issueColumns are the columns of an issue t in a project p.
var issueColumns = `
	t.*, p.full_path as path, ` + tree.PersonColumn("t.author_id") + ` as author,
	` + tree.PersonColumn("t.closed_by_id") + ` as closed_by,
	coalesce((select jsonb_agg(jsonb_build_object('id', a.id, 'username', a.username, 'name', a.name, 'state', a.state,
	        'avatar', a.avatar) order by a.id)
	    from issue_assignees i join users a on a.id = i.user_id where i.issue_id = t.id), '[]') as assignees,
	array(select i.user_id from issue_assignees i where i.issue_id = t.id order by i.user_id) as assignee_ids,
	array(select i.label_id from issue_labels i where i.issue_id = t.id order by i.label_id) as label_ids,
	(select count(*)::int from notes o where o.issue_id = t.id and not o.system and not o.internal) as note_count,
	(select count(*)::int from notes o where o.issue_id = t.id and not o.system and o.internal) as secret_notes`

var selectIssues = `select ` + issueColumns + ` from issues t join projects p on p.id = t.project_id`

// Issues returns all issues of a project. Viewer says who may see them.
func Issues(s *db.Store, projectID int64) db.Held[Issue] {
	h := db.NewHeld[Issue](s, db.Container{ProjectID: &projectID}, "issues")
	h.Select = selectIssues
	return h
}

// ByIID selects the issue, epic or iteration with a number.
func ByIID(iid int) db.Condition { return func(w *db.Where) { w.And(`t.iid = @iid`, iid) } }

// IssuesByID returns issues of any project by their ids, including those that a caller may not
// see.
func IssuesByID(ctx context.Context, s *db.Store, ids []int64) (map[int64]Issue, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return issuesByID(ctx, s, ` where t.id = any(@ids)`, pgx.NamedArgs{"ids": ids})
}

// IssuesByID returns those of the issues with the ids that the viewer sees.
func (v Viewer) IssuesByID(ctx context.Context, s *db.Store, ids []int64) (map[int64]Issue, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	args := v.Args()
	args["ids"] = ids
	return issuesByID(ctx, s, `
		join namespaces n on n.id = p.namespace_id where t.id = any(@ids) and `+v.SeesIssue(), args)
}

// issuesByID returns the issues t of projects p that the rest of a query selects, by id.
func issuesByID(ctx context.Context, s *db.Store, rest string, args pgx.NamedArgs) (map[int64]Issue, error) {
	list, err := db.Many[Issue](ctx, s, selectIssues+rest, args)
	byID := make(map[int64]Issue, len(list))
	for _, i := range list {
		byID[i.ID] = i
	}
	return byID, err
}
