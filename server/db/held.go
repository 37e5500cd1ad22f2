package db

import (
	"cmp"
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Held is the rows of a table that one group or project holds, or all that belong to none. It
// lists, finds, makes, changes and removes them. T is a row with an id, and the table has
// updated_at. T embeds Container, or has one of its two ids where only groups or only projects hold
// such rows.
//
// A domain has a function for each of its tables, func Hooks(s *db.Store, c db.Container)
// db.Held[Hook], and queries of its own for what Held cannot do.
type Held[T any] struct {
	s     *Store
	in    Container
	table string

	What      string    // names a missing row in the not-found fault; "" for the usual text
	Select    string    // the query of the rows, without a condition; calls the table t
	SelectOwn string    // the query for a change, if Select joins rows of others; "" for Select
	Filter    Condition // leaves out rows of the table; nil for none
	Instance  bool      // an empty container means the rows of the instance
	Orders    Order     // of lists, besides the id
}

// NewHeld returns the rows of a table as they are stored.
func NewHeld[T any](s *Store, c Container, table string) Held[T] {
	return Held[T]{s: s, in: c, table: table, Select: selectRows(table)}
}

// selectRows returns the query of the rows of a table as they are stored.
func selectRows(table string) string { return `select t.* from ` + table + ` t` }

// Condition adds to w what rows of a table called t have to satisfy.
type Condition func(w *Where)

// ByID returns the condition of the row with that id.
func ByID(id int64) Condition { return func(w *Where) { w.And(`t.id = @id`, id) } }

// WithIDs returns the condition of the rows with these ids.
func WithIDs(ids []int64) Condition { return func(w *Where) { w.And(`t.id = any(@ids)`, ids) } }

// AnyRow is the Condition that every row satisfies, for groups and projects that have at most one.
func AnyRow(*Where) {}

// Where returns the conditions of the container and of Filter, followed by the given ones.
func (h Held[T]) Where(which ...Condition) *Where {
	w := NewWhere(nil)
	switch {
	case h.in != Container{}:
	case h.Instance:
		w.And(`t.namespace_id is null and t.project_id is null`)
	default:
		w.And(`false`) // an empty container holds nothing
	}
	h.in.Within(w, "t")
	if h.Filter != nil {
		h.Filter(w)
	}
	for _, narrow := range which {
		narrow(w)
	}
	return w
}

// List returns a page of the rows, by id unless the page says otherwise, and their capped count.
func (h Held[T]) List(ctx context.Context, p Page, which ...Condition) ([]T, int, error) {
	return List[T](ctx, h.s, p, h.Orders, "t.id", h.Select, h.Where(which...))
}

// Count returns the number of rows. Other transactions that count wait until the commit, so
// counting before adding a row is enough to enforce a limit.
func (h Held[T]) Count(ctx context.Context, which ...Condition) (int, error) {
	if err := h.s.Exclusively(ctx, h.table+" of "+h.in.String()); err != nil {
		return 0, err
	}
	w := h.Where(which...)
	return Value[int](ctx, h.s, `select count(*) from `+h.table+` t`+w.String(), w.Args)
}

// One returns the first row that satisfies the condition, or a not-found fault.
func (h Held[T]) One(ctx context.Context, which Condition) (T, error) {
	w := h.Where(which)
	return One[T](ctx, h.s, h.What, h.Select+w.String(), w.Args)
}

// Create stores a row and returns it as stored.
func (h Held[T]) Create(ctx context.Context, row T) (T, error) {
	id, err := h.s.Insert(ctx, h.table, row)
	if err != nil {
		return row, err
	}
	return h.One(ctx, ByID(id))
}

// Edit changes a stored row. tx is the transaction that has locked the row, for what must be read
// or written together with it.
type Edit[T any] func(tx *Store, row *T) error

// Plain returns an edit that needs no transaction.
func Plain[T any](edit func(*T) error) Edit[T] {
	return func(_ *Store, row *T) error { return edit(row) }
}

// Checked returns an edit that fails with the error of check, which gets the edited row.
func Checked[T any](edit func(*T) error, check func(T) error) Edit[T] {
	return func(_ *Store, row *T) error {
		if err := edit(row); err != nil {
			return err
		}
		return check(*row)
	}
}

// Change locks one row, edits it and stores the result, unless the edit fails. It returns the row
// as stored. The edit gets what the query selects, child rows included, as the transaction that had
// the lock before left it.
func (h Held[T]) Change(ctx context.Context, which Condition, edit Edit[T]) (row T, err error) {
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
func (h Held[T]) lock(ctx context.Context, which Condition) (row T, err error) {
	query, w := cmp.Or(h.SelectOwn, h.Select), h.Where(which)
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

// Put does what Change does, and inserts fresh first if no row satisfies the condition. Concurrent
// calls wait for each other.
func (h Held[T]) Put(ctx context.Context, which Condition, fresh T, edit Edit[T]) (row T, err error) {
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

// Delete removes one row. It calls unless with the time of the row's last change, as
// rest.Unmodified wants it, and removes nothing if that returns an error.
func (h Held[T]) Delete(
	ctx context.Context, which Condition, unless func(ctx context.Context, changed time.Time) error,
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
