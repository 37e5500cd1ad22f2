package todo

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/note"
	"hew/server/tree"
	"hew/server/work"
)

// Action says why a user has to look at something.
type Action string

// The actions, as the API writes them.
const (
	Assigned          Action = "assigned"
	Mentioned         Action = "mentioned"
	DirectlyAddressed Action = "directly_addressed"
	Marked            Action = "marked"
	AccessRequested   Action = "member_access_requested"
	ReviewRequested   Action = "review_requested"
	Unmergeable       Action = "unmergeable"
	BuildFailed       Action = "build_failed"
)

// The states of to-dos.
const (
	Pending = "pending"
	Done    = "done"
)

// Type is the type of what a to-do is about, as the API writes it in target_type.
type Type string

// The types.
const (
	Issue        Type = "Issue"
	Epic         Type = "Epic"
	Commit       Type = "Commit"
	Project      Type = "Project"
	Group        Type = "Namespace"
	MergeRequest Type = "MergeRequest"
)

// Todo is a row of todos.
type Todo struct {
	ID       int64        `db:"id,auto"`
	UserID   int64        `db:"user_id"`
	AuthorID *int64       `db:"author_id"`
	Author   *tree.Person `db:"author,auto"` // nil: the user is deleted
	db.Container
	Action Action `db:"action"`
	note.TargetIDs
	NoteID    *int64     `db:"note_id"`
	State     string     `db:"state"`
	LostAt    *time.Time `db:"lost_at"`
	CreatedAt time.Time  `db:"created_at,auto"`
	UpdatedAt time.Time  `db:"updated_at,auto"`
	Text      *string    `db:"text,auto"` // of the note
}

// Type returns the type of what the to-do is about.
func (t Todo) Type() Type {
	switch {
	case t.IssueID != nil:
		return Issue
	case t.EpicID != nil:
		return Epic
	case t.MergeRequestID != nil:
		return MergeRequest
	case t.CommitOID != nil:
		return Commit
	case t.ProjectID != nil:
		return Project
	}
	return Group
}

// tables join to-dos d with what their visibility depends on: the issue t or the epic e, the note
// o, the project p, and the group or the namespace of the project, n.
const tables = `
	from todos d left join issues t on t.id = d.issue_id left join epics e on e.id = d.epic_id
		left join notes o on o.id = d.note_id left join projects p on p.id = d.project_id
		join namespaces n on n.id = coalesce(d.namespace_id, p.namespace_id)`

var selectTodos = `select d.*, ` + tree.PersonColumn("d.author_id") + ` as author,
	o.body as text` + tables

// Filter narrows a list of to-dos; a zero field narrows nothing.
type Filter struct {
	work.Viewer // whose to-dos they are
	Action      Action
	AuthorID    *int64
	ProjectID   *int64
	GroupID     *int64 // with all below it
	State       string
	Type        Type
}

// ofType are the conditions that a to-do d is about something of a type.
var ofType = map[Type]string{
	Issue:        `d.issue_id is not null`,
	Epic:         `d.epic_id is not null`,
	Commit:       `d.commit_oid is not null`,
	MergeRequest: `d.merge_request_id is not null`,
	Project:      `num_nonnulls(d.issue_id, d.epic_id, d.merge_request_id, d.commit_oid, d.namespace_id) = 0`,
	Group:        `d.namespace_id is not null and d.epic_id is null`,
}

// where returns the conditions of the filter.
func (f Filter) where() *db.Where {
	w := db.NewWhere(f.Args())
	w.And(`d.user_id = @user`)
	w.And(visibleTo(f.Viewer))
	w.AndIf(f.Action != "", `d.action = @action`, f.Action)
	w.AndIf(f.AuthorID != nil, `d.author_id = @author`, f.AuthorID)
	w.AndIf(f.ProjectID != nil, `d.project_id = @project`, f.ProjectID)
	w.AndIf(f.GroupID != nil, `n.traversal_ids @> array[@group::bigint]`, f.GroupID)
	w.AndIf(f.State != "", `d.state = @state`, f.State)
	if f.Type != "" {
		condition, ok := ofType[f.Type]
		if !ok {
			condition = `false` // of what hewd does not have
		}
		w.And(condition)
	}
	return w
}

// List returns a page of the to-dos that the filter admits, newest first, and their capped count.
func List(ctx context.Context, s *db.Store, f Filter, p db.Page) ([]Todo, int, error) {
	p.Desc = true
	return db.List[Todo](ctx, s, p, nil, "d.id", selectTodos, f.where())
}

// Count returns the number of to-dos that the filter admits, at most one more than db.MaxCount.
func Count(ctx context.Context, s *db.Store, f Filter) (int, error) {
	w := f.where()
	w.Args["most"] = db.MaxCount + 1
	return db.Value[int](ctx, s, `select count(*) from (select`+tables+w.String()+` limit @most) counted`, w.Args)
}

// find returns a to-do of the viewer, or a not-found fault.
func find(ctx context.Context, s *db.Store, v work.Viewer, id int64) (Todo, error) {
	w := Filter{Viewer: v}.where()
	w.And(`d.id = @id`, id)
	return db.One[Todo](ctx, s, "", selectTodos+w.String(), w.Args)
}

// Finish marks a to-do of the viewer as done and returns it.
func Finish(ctx context.Context, st *db.Store, v work.Viewer, id int64) (t Todo, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if _, err := find(ctx, st, v, id); err != nil {
			return err
		}
		err := st.Exec(ctx, `update todos set state = 'done', updated_at = now() where id = @id and state = 'pending'`,
			pgx.NamedArgs{"id": id})
		if err != nil {
			return err
		}
		t, err = find(ctx, st, v, id)
		return err
	})
	return t, err
}

// FinishAll marks the pending to-dos that the filter admits as done.
func FinishAll(ctx context.Context, st *db.Store, f Filter) error {
	f.State = Pending
	w := f.where()
	return st.Exec(ctx, `update todos set state = 'done', updated_at = now()
		where id in (select d.id`+tables+w.String()+`)`, w.Args)
}
