package db

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/fault"
)

// MaxCount is where counting stops: the count of a longer list is MaxCount+1, and its total is not
// shown (gaps §1.4).
const MaxCount = 10_000

// Page is the part of a list to return. Order names one of the list's orders ("" is by id), and
// Desc reverses it. With ByKey the page begins after the row at After instead of at Offset (keyset
// pagination), and the rows are not counted.
type Page struct {
	Limit, Offset int
	Order         string
	Desc          bool
	ByKey         bool
	After         Position
}

// Position identifies a row of an ordered list by its value in the column of the order, as text,
// and its id. The zero value is before the first row. In an order by id, Name is empty.
type Position struct {
	Name string `json:"name,omitempty"`
	ID   int64  `json:"id,string"`
}

// Order maps the public names of a list's orders to columns. Rows that are equal in the column are
// ordered by id, so that pages neither overlap nor leave out rows. An order that is not that of a
// column is written whole, with $dir for the direction ("t.due_date $dir nulls last, t.id desc");
// its list has no pages by key.
type Order map[string]string

// column returns the column to order by before the id, or "" for none. An unknown order, which rest
// should have refused, is the order by id.
func (o Order) column(p Page, id string) string {
	if column := o[p.Order]; column != id {
		return column
	}
	return ""
}

// Clause returns the "order by" of a page.
func (o Order) Clause(p Page, id string) string {
	dir := " asc"
	if p.Desc {
		dir = " desc"
	}
	column := o.column(p, id)
	switch {
	case strings.Contains(column, "$dir"):
		return " order by " + strings.ReplaceAll(column, " $dir", dir)
	case column != "":
		return " order by " + column + dir + ", " + id + dir
	}
	return " order by " + id + dir
}

// After returns the condition that a row comes after the position where a page begins.
func (o Order) After(p Page, id string) string {
	than := " > "
	if p.Desc {
		than = " < "
	}
	if column := o.column(p, id); column != "" {
		return "(" + column + ", " + id + ")" + than + "(@after_name, @after_id)"
	}
	return id + than + "@after_id"
}

// Exec runs a statement for its effect.
func (s *Store) Exec(ctx context.Context, sql string, args pgx.NamedArgs) error {
	_, err := s.Affected(ctx, sql, args)
	return err
}

// failed returns the error of a statement: a fault if a constraint was violated, or else an error
// that names the operation and the table.
func (s *Store) failed(sql string, err error) error {
	err = s.refused(err)
	if _, ok := fault.From(err); ok || err == nil {
		return err
	}
	return fmt.Errorf("%s: %w", operation(sql), err)
}

var operationPattern = regexp.MustCompile(`\b(insert into|update|delete from|from) +(\w+)`)

// operation returns what a statement does to which table, such as "delete from hooks". For one that
// only reads, it is the first table.
func operation(sql string) string {
	name := "query"
	sql, _, _ = strings.Cut(sql, " for no key update")
	sql, _, _ = strings.Cut(sql, " for update")
	for i, m := range operationPattern.FindAllStringSubmatch(sql, -1) {
		if m[1] != "from" {
			return m[1] + " " + m[2]
		}
		if i == 0 {
			name = "select from " + m[2]
		}
	}
	return name
}

// isSelect reports whether a statement only reads.
func isSelect(sql string) bool { return strings.HasPrefix(operation(sql), "select") }

// Affected runs a statement and returns the number of rows it changed.
func (s *Store) Affected(ctx context.Context, sql string, args pgx.NamedArgs) (int64, error) {
	tag, err := s.conn.Exec(ctx, sql, named(args)...)
	return tag.RowsAffected(), s.failed(sql, err)
}

// SendBatch sends the statements of a batch in one round trip. Its error names the operation of
// sql, one of them.
func (s *Store) SendBatch(ctx context.Context, sql string, batch *pgx.Batch) error {
	return s.failed(sql, s.conn.SendBatch(ctx, batch).Close())
}

// One returns the row of a query. If there is none, the error is a not-found fault with what as its
// subject. No row has a number that its column cannot hold.
func One[T any](ctx context.Context, s *Store, what, sql string, args pgx.NamedArgs) (T, error) {
	v, err := collect(ctx, s, sql, named(args), pgx.RowToStructByName[T])
	if errors.Is(err, pgx.ErrNoRows) || errors.Is(err, errOutOfRange) && isSelect(sql) {
		return v, fault.NotFound(what)
	}
	return v, err
}

// Value returns the single column of the single row of a query.
func Value[T any](ctx context.Context, s *Store, sql string, args pgx.NamedArgs) (T, error) {
	return collect(ctx, s, sql, named(args), pgx.RowTo[T])
}

func collect[T any](ctx context.Context, s *Store, sql string, args []any, to pgx.RowToFunc[T]) (T, error) {
	rows, err := s.conn.Query(ctx, sql, args...)
	if err != nil {
		var zero T
		return zero, s.failed(sql, err)
	}
	v, err := pgx.CollectExactlyOneRow(rows, to)
	return v, s.failed(sql, err)
}

// Values returns the single column of all rows of a query, which is for short lists, as Many is.
func Values[T any](ctx context.Context, s *Store, sql string, args pgx.NamedArgs) ([]T, error) {
	return rowsOf(ctx, s, sql, named(args), pgx.RowTo[T])
}

// Many returns all rows of a query. It is for lists that are always short; others are read with
// List.
func Many[T any](ctx context.Context, s *Store, sql string, args pgx.NamedArgs) ([]T, error) {
	return many[T](ctx, s, sql, named(args))
}

func many[T any](ctx context.Context, s *Store, sql string, args []any) ([]T, error) {
	return rowsOf(ctx, s, sql, args, pgx.RowToStructByName[T])
}

func rowsOf[T any](ctx context.Context, s *Store, sql string, args []any, to pgx.RowToFunc[T]) ([]T, error) {
	rows, err := s.conn.Query(ctx, sql, args...)
	if err != nil {
		return nil, s.failed(sql, err)
	}
	list, err := pgx.CollectRows(rows, to)
	return list, s.failed(sql, err)
}
