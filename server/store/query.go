package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"hew/server/fault"
)

// MaxCount is where counting stops: a list longer than that reports MaxCount+1 and the total is not shown (gaps §1.4).
const MaxCount = 10_000

// Page is the part of a list that is wanted. Order names one of the list's orders (empty: its first), Desc turns it
// round. With ByKey the offset is ignored and the part begins after the row with the id After (keyset pagination);
// the rows are then not counted.
type Page struct {
	Limit, Offset int
	Order         string
	Desc          bool
	ByKey         bool
	After         int64
}

// order maps the public names of a list's orders to columns. The id breaks ties, so that pages neither overlap nor gap.
type order map[string]string

// clause is the "order by" of a page; an unknown order is one that rest should have refused, and falls back to id.
func (o order) clause(p Page, id string) string {
	dir := " asc"
	if p.Desc {
		dir = " desc"
	}
	column, ok := o[p.Order]
	if !ok || column == id {
		return " order by " + id + dir
	}
	return " order by " + column + dir + ", " + id + dir
}

// exec runs a statement for its effect.
func (s *Store) exec(ctx context.Context, sql string, args pgx.NamedArgs) error {
	_, err := s.affected(ctx, sql, args)
	return err
}

// affected runs a statement and tells how many rows it touched.
func (s *Store) affected(ctx context.Context, sql string, args pgx.NamedArgs) (int64, error) {
	tag, err := s.db.Exec(ctx, sql, named(args)...)
	return tag.RowsAffected(), refused(err)
}

// one fetches the row of a query as a T; no row is a fault that names what is missing.
func one[T any](ctx context.Context, s *Store, what, sql string, args pgx.NamedArgs) (T, error) {
	v, err := collect[T](ctx, s, sql, args, pgx.RowToStructByName[T])
	if errors.Is(err, pgx.ErrNoRows) {
		return v, fault.NotFound(what)
	}
	return v, err
}

// value fetches a single column of a single row.
func value[T any](ctx context.Context, s *Store, sql string, args pgx.NamedArgs) (T, error) {
	return collect[T](ctx, s, sql, args, pgx.RowTo[T])
}

func collect[T any](ctx context.Context, s *Store, sql string, args pgx.NamedArgs, to pgx.RowToFunc[T]) (T, error) {
	rows, err := s.db.Query(ctx, sql, named(args)...)
	if err != nil {
		var zero T
		return zero, refused(err)
	}
	v, err := pgx.CollectExactlyOneRow(rows, to)
	return v, refused(err)
}

// many fetches all rows of a query. It is for lists that are short by nature; everything else goes through page.
func many[T any](ctx context.Context, s *Store, sql string, args pgx.NamedArgs) ([]T, error) {
	rows, err := s.db.Query(ctx, sql, named(args)...)
	if err != nil {
		return nil, refused(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByName[T])
	return list, refused(err)
}

// page fetches one page of a query and its capped count in one round trip. The query has neither order nor limit; id is
// its unique column, as the query names it. For keyset pages the count is -1.
func page[T any](ctx context.Context, s *Store, p Page, by order, id, sql string, args pgx.NamedArgs) (list []T, total int, err error) {
	if p.ByKey {
		return keyset[T](ctx, s, p, id, sql, args)
	}
	list, total = nil, -1
	batch := &pgx.Batch{}
	batch.Queue(fmt.Sprintf("select count(*) from (%s limit %d) counted", sql, MaxCount+1), named(args)...).QueryRow(
		func(row pgx.Row) error { return row.Scan(&total) })
	batch.Queue(fmt.Sprintf("%s %s limit %d offset %d", sql, by.clause(p, id), p.Limit, p.Offset), named(args)...).Query(
		func(rows pgx.Rows) (err error) {
			list, err = pgx.CollectRows(rows, pgx.RowToStructByName[T])
			return err
		})
	return list, total, refused(s.db.SendBatch(ctx, batch).Close())
}

// keyset pages by id alone, the one order that every list of this API offers for it.
func keyset[T any](ctx context.Context, s *Store, p Page, id, sql string, args pgx.NamedArgs) ([]T, int, error) {
	bound := ""
	if p.After != 0 {
		bound = map[bool]string{false: " and " + id + " > ", true: " and " + id + " < "}[p.Desc] + fmt.Sprint(p.After)
	}
	list, err := many[T](ctx, s, fmt.Sprintf("%s%s %s limit %d", sql, bound, order{}.clause(p, id), p.Limit), args)
	return list, -1, err
}

// named drops empty arguments: pgx would rewrite the statement for nothing.
func named(args pgx.NamedArgs) []any {
	if len(args) == 0 {
		return nil
	}
	return []any{args}
}
