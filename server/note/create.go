package note

import (
	"context"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/tree"
)

// The types of notes; those without a type stand alone.
const (
	DiscussionNote = "DiscussionNote"
	DiffNote       = "DiffNote"
)

// MaxBody is how long a note may be, in characters.
const MaxBody = 1000000

const maxNotes = 5000 // of a target, system notes included (more §2)

// New is a note to be written.
type New struct {
	By        tree.User
	Body      string
	Internal  bool
	CreatedAt *time.Time // nil: now
	Thread    bool       // begins a thread, even without a reply
	Position  *Position  // of a note on lines of a diff
	Original  *Position  // where it was written, if the diff has changed since; nil: at Position
	CommitOID []byte     // the commit of a merge request that it is on; nil: on all of them
}

// Wrong returns what is wrong with the body of a note as answers show it, "" if nothing is.
func Wrong(body string) string {
	switch {
	case strings.TrimSpace(body) == "":
		return `{:note=>["can't be blank"]}`
	case len(body) > MaxBody && utf8.RuneCountInString(body) > MaxBody:
		return `{:note=>["is too long (maximum is 1000000 characters)"]}`
	}
	return ""
}

// CheckBody returns the fault of a note with a body that cannot be stored.
func CheckBody(body string) error {
	if wrong := Wrong(body); wrong != "" {
		return fault.BadRequest("Note " + wrong)
	}
	return nil
}

// Create writes a note that begins a discussion of its own.
func Create(ctx context.Context, st *db.Store, on Target, n New) (Note, error) {
	row := Note{DiscussionID: newDiscussionID(), Internal: n.Internal, CommitOfRequest: n.CommitOID}
	switch {
	case n.Position != nil:
		row.Type = new(DiffNote)
		text, err := json.Marshal(n.Position)
		if err != nil {
			return row, err
		}
		row.Position, row.OriginalPosition = text, text
		if n.Original != nil {
			if row.OriginalPosition, err = json.Marshal(n.Original); err != nil {
				return row, err
			}
		}
	case n.Thread:
		row.Type = new(DiscussionNote)
	}
	return insert(ctx, st, on, n, row)
}

// Reply writes a note into a discussion. A note that stood alone becomes a thread by that. The
// reply is internal if the first note is.
func Reply(ctx context.Context, st *db.Store, on Target, d Discussion, n New) (Note, error) {
	first := d.Notes[0]
	// A snippet's thread begins as one (more §2).
	if first.System || on.Kind == Snippet && !first.InThread() {
		return Note{}, fault.BadRequest("Discussion can not be replied to.")
	}
	row := Note{
		DiscussionID: d.ID, Internal: first.Internal, Type: first.Type,
		Position: first.Position, OriginalPosition: first.OriginalPosition, CommitOfRequest: first.CommitOfRequest,
	}
	if row.Type == nil {
		row.Type = new(DiscussionNote)
	}
	var reply Note
	err := st.Tx(ctx, func(st *db.Store) (err error) {
		if !first.InThread() {
			err = st.Exec(ctx, `update notes set type = 'DiscussionNote', resolvable = merge_request_id is not null
				where discussion_id = @id and type is null and not system`, pgx.NamedArgs{"id": d.ID})
			if err != nil {
				return err
			}
		}
		if first.Resolvable { // the reply opens the thread again
			if err := Resolve(ctx, st, on, n.By.ID, false, d.ID); err != nil {
				return err
			}
		}
		reply, err = insert(ctx, st, on, n, row)
		return err
	})
	return reply, err
}

// insert stores a note. Those of one target that are written at the same time wait for each other,
// so that their number is kept.
func insert(ctx context.Context, st *db.Store, on Target, n New, row Note) (Note, error) {
	if err := CheckBody(n.Body); err != nil {
		return row, err
	}
	row.Container, row.TargetIDs = on.Container, on.IDs()
	row.AuthorID, row.Body = &n.By.ID, n.Body
	if on.Kind == Snippet {
		row.SnippetID = &on.ID
	}
	row.Resolvable = on.Kind == MergeRequest && row.Type != nil
	all := Reader{Internal: true}
	err := st.Tx(ctx, func(st *db.Store) error {
		notes := Notes(st, on, all)
		if err := checkRoom(ctx, st, on); err != nil {
			return err
		}
		id, err := st.Insert(ctx, "notes", row)
		if err != nil {
			return err
		}
		if n.CreatedAt != nil {
			err = st.Exec(ctx, `update notes set created_at = @at, updated_at = @at where id = @id`,
				pgx.NamedArgs{"id": id, "at": n.CreatedAt})
			if err != nil {
				return err
			}
		}
		if err := StoreMentions(ctx, st, on, id, n.Body); err != nil {
			return err
		}
		if row, err = notes.One(ctx, db.ByID(id)); err != nil {
			return err
		}
		if err := event.Emit(ctx, st, Created{Target: on, Note: row, By: n.By}); err != nil {
			return err
		}
		if on.Kind == MergeRequest && row.Position != nil { // a listener has stored its suggestions
			row, err = notes.One(ctx, db.ByID(id))
		}
		return err
	})
	return row, err
}

// checkRoom locks the notes of a target, and returns a fault if there are as many as there may be.
func checkRoom(ctx context.Context, st *db.Store, on Target) error {
	if err := st.Exclusively(ctx, "notes of "+on.String()); err != nil {
		return err
	}
	if err := st.Locked(ctx); err != nil {
		return err
	}
	w := db.NewWhere(nil)
	on.where(w)
	count, err := db.Value[int](ctx, st, `select count(*) from notes t`+w.String(), w.Args)
	if err == nil && count >= maxNotes {
		return fault.BadRequest("Note {:base=>[\"Maximum number of comments exceeded\"]}")
	}
	return err
}
