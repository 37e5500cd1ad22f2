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

// MaxCount is where counting stops: a list longer than that reports MaxCount+1 and the total is not
// shown (gaps §1.4).
const MaxCount = 10_000

// Page is the part of a list that is wanted. Order names one of the list's orders (empty: by id),
// Desc turns it round. With ByKey the offset is ignored and the part begins after the row at After
// (keyset pagination, which takes an order by a column); the rows are then not counted.
type Page struct {
	Limit, Offset int
	Order         string
	Desc          bool
	ByKey         bool
	After         Position
}

// Position is a row of a list in order: its value in the column of the order, as text, and its id.
// The zero value is before the first row; in an order by id there is no Name.
type Position struct {
	Name string `json:"name,omitempty"`
	ID   int64  `json:"id,string"`
}

// Order maps the public names of a list's orders to columns. The id breaks ties, so that pages
// neither overlap nor gap.
type Order map[string]string

// column is what the rows are ordered by before the id; empty: by nothing. An unknown order is one
// that rest should have refused, and falls back to id.
func (o Order) column(p Page, id string) string {
	if column := o[p.Order]; column != id {
		return column
	}
	return ""
}

// Clause is the "order by" of a page.
func (o Order) Clause(p Page, id string) string {
	dir := " asc"
	if p.Desc {
		dir = " desc"
	}
	if column := o.column(p, id); column != "" {
		return " order by " + column + dir + ", " + id + dir
	}
	return " order by " + id + dir
}

// After is the condition that a row comes after the position where a page begins, in the order of
// the page.
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

// failed is the error of a statement: a fault where Postgres refused it on behalf of a constraint,
// and for the rest an error that says what was done to which table.
func (s *Store) failed(sql string, err error) error {
	err = s.refused(err)
	if _, ok := fault.From(err); ok || err == nil {
		return err
	}
	return fmt.Errorf("%s: %w", operation(sql), err)
}

var deed = regexp.MustCompile(`\b(insert into|update|delete from|from) +(\w+)`)

// operation names a statement: what it changes, or else the first table that it reads.
func operation(sql string) string {
	name := "query"
	sql, _, _ = strings.Cut(sql, " for no key update")
	sql, _, _ = strings.Cut(sql, " for update")
	for i, m := range deed.FindAllStringSubmatch(sql, -1) {
		if m[1] != "from" {
			return m[1] + " " + m[2]
		}
		if i == 0 {
			name = "select from " + m[2]
		}
	}
	return name
}

// Affected runs a statement and tells how many rows it touched.
func (s *Store) Affected(ctx context.Context, sql string, args pgx.NamedArgs) (int64, error) {
	tag, err := s.conn.Exec(ctx, sql, named(args)...)
	return tag.RowsAffected(), s.failed(sql, err)
}

// SendBatch sends the statements of a batch in one round trip. Its error names the statement sql,
// which stands for all.
func (s *Store) SendBatch(ctx context.Context, sql string, batch *pgx.Batch) error {
	return s.failed(sql, s.conn.SendBatch(ctx, batch).Close())
}

// One fetches the row of a query as a T; no row is a fault that names what is missing.
func One[T any](ctx context.Context, s *Store, what, sql string, args pgx.NamedArgs) (T, error) {
	v, err := collect[T](ctx, s, sql, args, pgx.RowToStructByName[T])
	if errors.Is(err, pgx.ErrNoRows) {
		return v, fault.NotFound(what)
	}
	return v, err
}

// Value fetches a single column of a single row.
func Value[T any](ctx context.Context, s *Store, sql string, args pgx.NamedArgs) (T, error) {
	return collect[T](ctx, s, sql, args, pgx.RowTo[T])
}

func collect[T any](ctx context.Context, s *Store, sql string, args pgx.NamedArgs, to pgx.RowToFunc[T]) (T, error) {
	rows, err := s.conn.Query(ctx, sql, named(args)...)
	if err != nil {
		var zero T
		return zero, s.failed(sql, err)
	}
	v, err := pgx.CollectExactlyOneRow(rows, to)
	return v, s.failed(sql, err)
}

// Many fetches all rows of a query. It is for lists that are short by nature; everything else goes
// through page.
func Many[T any](ctx context.Context, s *Store, sql string, args pgx.NamedArgs) ([]T, error) {
	rows, err := s.conn.Query(ctx, sql, named(args)...)
	if err != nil {
		return nil, s.failed(sql, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByName[T])
	return list, s.failed(sql, err)
}

// few is how many rows that are scattered over a table are read all, and then put in order. Of
// more, those of a page soon come along in the order of an index.
const few = 1000

// Apart keeps the order of a page out of its query: whatever that finds is found first.
func Apart(sql, id string) string {
	alias, _, _ := strings.Cut(id, ".")
	return "select * from (" + sql + " offset 0) " + alias
}

// List fetches one page of a list and its capped count in one round trip; in two if the count has
// to tell how to look for the page. The query has neither condition nor order nor limit; id is its
// unique column, as the query names it. By key it is a matter of the rows after a position, which
// are not counted: -1.
func List[T any](
	ctx context.Context, s *Store, p Page, by Order, id, sql string, w *Where,
) (list []T, total int, err error) {
	if p.ByKey {
		w.Args["after_name"], w.Args["after_id"] = p.After.Name, p.After.ID
		w.And(p.After.ID != 0, by.After(p, id))
		sql += w.String()
		if w.Scattered {
			sql = Apart(sql, id)
		}
		list, err = Many[T](ctx, s, fmt.Sprintf("%s%s limit %d", sql, by.Clause(p, id), p.Limit), w.Args)
		return list, -1, err
	}
	total = -1
	sql += w.String()
	count := fmt.Sprintf("select count(*) from (%s limit %d) counted", sql, MaxCount+1)
	part := fmt.Sprintf("%s limit %d offset %d", by.Clause(p, id), p.Limit, p.Offset)
	if w.Scattered {
		total, err = Value[int](ctx, s, count, w.Args)
		if err != nil || total <= p.Offset && total <= MaxCount {
			return nil, total, err
		}
		if total <= few {
			sql = Apart(sql, id)
		}
		list, err = Many[T](ctx, s, sql+part, w.Args)
		return list, total, err
	}
	batch := &pgx.Batch{}
	batch.Queue(count, named(w.Args)...).QueryRow(func(row pgx.Row) error { return row.Scan(&total) })
	batch.Queue(sql+part, named(w.Args)...).Query(func(rows pgx.Rows) (err error) {
		list, err = pgx.CollectRows(rows, pgx.RowToStructByName[T])
		return err
	})
	return list, total, s.SendBatch(ctx, sql, batch)
}

// named drops empty arguments: pgx would rewrite the statement for nothing.
func named(args pgx.NamedArgs) []any {
	if len(args) == 0 {
		return nil
	}
	return []any{args}
}
