package merge

import (
	"context"
	"encoding/json"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/note"
)

const (
	maxDrafts    = 1000    // of a user on one merge request
	maxDraftBody = 1000000 // characters
)

// DraftNote is a row of draft_notes: a note of a review that its author has not published yet.
type DraftNote struct {
	ID         int64           `db:"id,auto"`
	RequestID  int64           `db:"merge_request_id"`
	AuthorID   int64           `db:"author_id"`
	Body       string          `db:"body"`
	Discussion *string         `db:"discussion_id"` // that it replies to; nil: it begins one
	Resolve    bool            `db:"resolve_discussion"`
	CommitOID  []byte          `db:"commit_oid"`
	LineCode   *string         `db:"line_code"` // of its position
	Position   json.RawMessage `db:"position"`
	CreatedAt  time.Time       `db:"created_at,auto"`
	UpdatedAt  time.Time       `db:"updated_at,auto"`
}

// draftFilter is the condition that a draft t of a user is on a merge request.
func draftFilter(r Request, author int64) *db.Where {
	w := db.NewWhere(nil)
	w.And(`t.merge_request_id = @request`, r.ID)
	w.And(`t.author_id = @author`, author)
	return w
}

const selectDrafts = `select t.* from draft_notes t`

// DraftNotes returns a page of the drafts of a user on a merge request, by id, and their count.
func DraftNotes(ctx context.Context, s *db.Store, r Request, author int64, p db.Page) ([]DraftNote, int, error) {
	return db.List[DraftNote](ctx, s, p, nil, "t.id", selectDrafts, draftFilter(r, author))
}

// AllDraftNotes returns all drafts of a user on a merge request, by id, unpaged: a review has few.
func AllDraftNotes(ctx context.Context, s *db.Store, r Request, author int64) ([]DraftNote, error) {
	w := draftFilter(r, author)
	return db.Many[DraftNote](ctx, s, selectDrafts+w.String()+` order by t.id for update`, w.Args)
}

// FindDraftNote returns a draft of a user on a merge request, or a not-found fault.
func FindDraftNote(ctx context.Context, s *db.Store, r Request, author, id int64) (DraftNote, error) {
	return findDraftNote(ctx, s, r, author, id, ``)
}

// LockDraftNote is FindDraftNote for a draft that is published: it waits for others who publish the
// same one, and does not find it after them.
func LockDraftNote(ctx context.Context, s *db.Store, r Request, author, id int64) (DraftNote, error) {
	return findDraftNote(ctx, s, r, author, id, ` for update`)
}

func findDraftNote(
	ctx context.Context, s *db.Store, r Request, author, id int64, lock string,
) (DraftNote, error) {
	w := draftFilter(r, author)
	w.And(`t.id = @id`, id)
	return db.One[DraftNote](ctx, s, "Draft Note", selectDrafts+w.String()+lock, w.Args)
}

// Place puts the draft where a note is to be.
func (d *DraftNote) Place(p Placed) (err error) {
	d.CommitOID, d.Position, d.LineCode = p.Commit, nil, nil
	if p.LineCode != "" {
		d.LineCode = &p.LineCode
	}
	if p.Original != nil {
		d.Position, err = json.Marshal(p.Original)
	}
	return err
}

// check returns the fault of a draft that cannot be stored.
func (d DraftNote) check() error {
	if utf8.RuneCountInString(d.Body) > maxDraftBody {
		return fault.BadRequest(`Note {:note=>["is too long (maximum is 1000000 characters)"]}`)
	}
	return note.CheckBody(d.Body)
}

// CreateDraftNote stores a draft.
func CreateDraftNote(ctx context.Context, st *db.Store, r Request, d DraftNote) (DraftNote, error) {
	if err := d.check(); err != nil {
		return d, err
	}
	d.RequestID = r.ID
	err := st.Tx(ctx, func(st *db.Store) error {
		if err := st.Exclusively(ctx, "drafts of "+r.Target().String()); err != nil {
			return err
		}
		w := draftFilter(r, d.AuthorID)
		count, err := db.Value[int](ctx, st, `select count(*) from draft_notes t`+w.String(), w.Args)
		if err != nil {
			return err
		}
		if count >= maxDrafts {
			return fault.BadRequest("Note {:base=>[\"Maximum number of comments exceeded\"]}")
		}
		id, err := st.Insert(ctx, "draft_notes", d)
		if err != nil {
			return err
		}
		d, err = FindDraftNote(ctx, st, r, d.AuthorID, id)
		return err
	})
	return d, err
}

// ChangeDraftNote stores a draft that was changed.
func ChangeDraftNote(ctx context.Context, st *db.Store, r Request, d DraftNote) (DraftNote, error) {
	if err := d.check(); err != nil {
		return d, err
	}
	err := st.Exec(ctx, `
		update draft_notes set body = @body, position = @position::jsonb, line_code = @code, updated_at = now()
		where id = @id`,
		pgx.NamedArgs{"id": d.ID, "body": d.Body, "position": d.Position, "code": d.LineCode})
	if err != nil {
		return d, err
	}
	return FindDraftNote(ctx, st, r, d.AuthorID, d.ID)
}

// DeleteDraftNotes deletes drafts.
func DeleteDraftNotes(ctx context.Context, st *db.Store, ids ...int64) error {
	return st.Exec(ctx, `delete from draft_notes where id = any(@ids)`, pgx.NamedArgs{"ids": ids})
}
