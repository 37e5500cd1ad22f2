package note

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// Activity says which notes a list has.
type Activity string

// The values of activity_filter (more §2).
const (
	AllNotes     Activity = "all_notes"
	OnlyComments Activity = "only_comments" // of people
	OnlyActivity Activity = "only_activity" // system notes
)

// Reader is who reads notes of a target.
type Reader struct {
	Internal bool // reads internal notes, too
	// Sees is the condition that the reader sees what a system note t is about (AboutIDs); nil if
	// they see everything.
	Sees db.Condition
}

// narrow adds the condition that the reader sees a note t.
func (r Reader) narrow(w *db.Where) {
	w.AndIf(!r.Internal, `not t.internal`)
	if r.Sees != nil {
		r.Sees(w)
	}
}

var selectNotes = `select t.*, ` + tree.PersonColumn("t.author_id") + ` as author, ` +
	tree.PersonColumn("t.resolved_by_id") + ` as resolved_by, ` + suggestionsColumn + ` as suggestions from notes t`

var noteOrders = db.Order{"created_at": `t.created_at`, "updated_at": `t.updated_at`}

// Notes returns the notes of a target that a reader sees.
func Notes(s *db.Store, on Target, r Reader) db.Held[Note] {
	notes := db.NewHeld[Note](s, on.Container, "notes")
	notes.What, notes.Select, notes.Orders = "Note", selectNotes, noteOrders
	notes.Filter = func(w *db.Where) {
		on.where(w)
		r.narrow(w)
	}
	return notes
}

// Showing returns the condition that a list with a filter shows a note t.
func Showing(a Activity) db.Condition {
	return func(w *db.Where) {
		w.AndIf(a == OnlyComments, `not t.system`)
		w.AndIf(a == OnlyActivity, `t.system`)
	}
}

// Discussion is a thread, or a note that nobody replied to.
type Discussion struct {
	ID    string // 40 hexadecimal digits
	Notes []Note // oldest first; at least one
}

// Individual reports whether the discussion is a single note and not a thread.
func (d Discussion) Individual() bool { return !d.Notes[0].InThread() }

// Discussions returns a page of the discussions of a target that a reader sees, oldest first, and
// their capped count.
func Discussions(ctx context.Context, s *db.Store, on Target, r Reader, p db.Page) ([]Discussion, int, error) {
	w := db.NewWhere(nil)
	on.where(w)
	r.narrow(w)
	w.And(`not exists (select from notes o where o.discussion_id = t.discussion_id and o.id < t.id)`)
	p.Order = "created_at"
	type first struct {
		ID        int64     `db:"id"`
		Thread    string    `db:"discussion_id"`
		CreatedAt time.Time `db:"created_at"`
	}
	firsts, total, err := db.List[first](ctx, s, p, noteOrders, "t.id",
		`select t.id, t.discussion_id, t.created_at from notes t`, w)
	if err != nil || len(firsts) == 0 {
		return nil, total, err
	}
	ids, list, at := make([]string, len(firsts)), make([]Discussion, len(firsts)), map[string]int{}
	for n, f := range firsts {
		ids[n], list[n].ID, at[f.Thread] = f.Thread, f.Thread, n
	}
	notes, err := notesOf(ctx, s, on, r, ids)
	for _, n := range notes {
		d := &list[at[n.DiscussionID]]
		d.Notes = append(d.Notes, n)
	}
	return list, total, err
}

// FindDiscussion returns a discussion of a target that a reader sees; ok is false if there is none.
func FindDiscussion(
	ctx context.Context, s *db.Store, on Target, r Reader, id string,
) (d Discussion, ok bool, err error) {
	d.ID = id
	d.Notes, err = notesOf(ctx, s, on, r, []string{id})
	return d, len(d.Notes) > 0, err
}

// notesOf returns the notes of discussions, oldest first. A target has few enough (maxNotes).
func notesOf(ctx context.Context, s *db.Store, on Target, r Reader, ids []string) ([]Note, error) {
	w := db.NewWhere(pgx.NamedArgs{})
	on.where(w)
	r.narrow(w)
	w.And(`t.discussion_id = any(@discussions)`, ids)
	return db.Many[Note](ctx, s, selectNotes+w.String()+` order by t.id`, w.Args)
}
