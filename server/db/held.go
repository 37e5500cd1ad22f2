package db

import (
	"cmp"
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Held is a table of what groups and projects hold, narrowed to one of them: all that an area needs
// to list, find, make, change and remove its rows. A T is a row with an id, whose table has
// updated_at. It embeds Container; where only groups or only projects hold such things, it has that
// one of the two ids.
//
// An area says what is in its table with one method, func (s *Store) Hooks(c Container) Held[Hook],
// and adds a query of its own for what is none of these.
type Held[T any] struct {
	s     *Store
	in    Container
	table string
	What  string // a row is called this where it is missing; empty: nothing special
	From  string // selects the rows, without a condition; its table is called t
	Own   string // selects them for a change, where from shows more than they hold themselves; empty: as from does
	Only  Which  // of the rows, these; nil: all
	// The instance holds such things as well, and is an empty container.
	Instance bool
	By       Order // what its lists may be ordered by, beside the id
}

// HeldIn is a table whose rows are read as they are stored.
func HeldIn[T any](s *Store, c Container, table string) Held[T] {
	return Held[T]{s: s, in: c, table: table, From: selectRows(table)}
}

// selectRows returns the query of the rows of a table as they are stored.
func selectRows(table string) string { return `select t.* from ` + table + ` t` }

// Which says which rows of a table t are meant.
type Which func(w *Where)

// ByID is the row with that id.
func ByID(id int64) Which { return func(w *Where) { w.And(true, `t.id = @id`, id) } }

// Among are the rows with these ids.
func Among(ids []int64) Which { return func(w *Where) { w.And(true, `t.id = any(@ids)`, ids) } }

// Only is the row of a group or project that has one at most.
func Only(*Where) {}

func (h Held[T]) Where(which ...Which) *Where {
	w := NewWhere(nil)
	switch {
	case h.in != Container{}:
	case h.Instance:
		w.And(true, `t.namespace_id is null and t.project_id is null`)
	default:
		w.And(true, `false`) // what is in nothing is not everything
	}
	h.in.Of(w, "t")
	if h.Only != nil {
		h.Only(w)
	}
	for _, narrow := range which {
		narrow(w)
	}
	return w
}

// List lists a page of them, by id unless the page says otherwise.
func (h Held[T]) List(ctx context.Context, p Page, which ...Which) ([]T, int, error) {
	return List[T](ctx, h.s, p, h.By, "t.id", h.From, h.Where(which...))
}

// Count counts them; nobody else who counts adds one before the commit.
func (h Held[T]) Count(ctx context.Context, which ...Which) (int, error) {
	if err := h.s.Exclusively(ctx, h.table+" of "+h.in.String()); err != nil {
		return 0, err
	}
	w := h.Where(which...)
	return Value[int](ctx, h.s, `select count(*) from `+h.table+` t`+w.String(), w.Args)
}

// One is one of them.
func (h Held[T]) One(ctx context.Context, which Which) (T, error) {
	w := h.Where(which)
	return One[T](ctx, h.s, h.What, h.From+w.String(), w.Args)
}

// Create stores a row and returns it as it is stored.
func (h Held[T]) Create(ctx context.Context, row T) (T, error) {
	id, err := h.s.Insert(ctx, h.table, row)
	if err != nil {
		return row, err
	}
	return h.One(ctx, ByID(id))
}

// Edit changes a row as it is stored. The store is the transaction that holds the row, for what
// else must be read or written with it.
type Edit[T any] func(tx *Store, row *T) error

// Plain returns an edit that needs no transaction.
func Plain[T any](edit func(*T) error) Edit[T] {
	return func(_ *Store, row *T) error { return edit(row) }
}

// Checked returns an edit that fails if check finds something wrong with the outcome.
func Checked[T any](edit func(*T) error, check func(T) error) Edit[T] {
	return func(_ *Store, row *T) error {
		if err := edit(row); err != nil {
			return err
		}
		return check(*row)
	}
}

// Change locks one row, edits it and stores the outcome, unless the edit fails. It returns the row
// as it is stored. The edit gets the row and what the query adds to it, such as rows of child
// tables, as the transaction that held the lock before left them.
func (h Held[T]) Change(ctx context.Context, which Which, edit Edit[T]) (row T, err error) {
	err = h.s.Tx(ctx, func(s *Store) error {
		h.s = s
		if row, err = h.lock(ctx, which); err != nil {
			return err
		}
		if err := edit(s, &row); err != nil {
			return err
		}
		if err := s.Update(ctx, h.table, row); err != nil {
			return err
		}
		row, err = h.One(ctx, ByID(idOf(row)))
		return err
	})
	return row, err
}

// lock locks one row until the end of the transaction and returns it. A statement that waited for
// the lock sees the row as it is now, but all other tables as they were when it began; so what is
// read from more than the row is read by a second statement.
func (h Held[T]) lock(ctx context.Context, which Which) (row T, err error) {
	query, w := cmp.Or(h.Own, h.From), h.Where(which)
	row, err = One[T](ctx, h.s, h.What, query+w.String()+` for no key update of t`, w.Args)
	if err == nil {
		err = h.s.Locked(ctx)
	}
	if err != nil || query == selectRows(h.table) {
		return row, err
	}
	w = h.Where(ByID(idOf(row)))
	return One[T](ctx, h.s, h.What, query+w.String(), w.Args)
}

// Put is Change, which has fresh to change where there is none yet. Whoever puts something there
// meanwhile has to wait.
func (h Held[T]) Put(ctx context.Context, which Which, fresh T, edit Edit[T]) (row T, err error) {
	err = h.s.Tx(ctx, func(s *Store) error {
		h.s = s
		n, err := h.Count(ctx, which)
		if err == nil && n == 0 {
			_, err = s.Insert(ctx, h.table, fresh)
		}
		if err != nil {
			return err
		}
		row, err = h.Change(ctx, which, edit)
		return err
	})
	return row, err
}

// Delete removes one of them, unless the time when it was changed last speaks against that:
// rest.Unmodified, for one.
func (h Held[T]) Delete(
	ctx context.Context, which Which, unless func(ctx context.Context, changed time.Time) error,
) error {
	return h.s.Tx(ctx, func(s *Store) error {
		w := h.Where(which)
		row, err := One[struct {
			ID        int64     `db:"id"`
			UpdatedAt time.Time `db:"updated_at"`
		}](ctx, s, h.What, `select t.id, t.updated_at from `+h.table+` t`+w.String()+` for update`, w.Args)
		if err == nil {
			err = s.Locked(ctx)
		}
		if err != nil {
			return err
		}
		if err := unless(ctx, row.UpdatedAt); err != nil {
			return err
		}
		return s.Exec(ctx, `delete from `+h.table+` where id = @id`, pgx.NamedArgs{"id": row.ID})
	})
}
