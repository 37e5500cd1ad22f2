package db

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// OrderLast wraps a query so that Postgres finds all of its rows before it orders them.
func OrderLast(sql, id string) string {
	alias, _, _ := strings.Cut(id, ".")
	return "select * from (" + sql + " offset 0) " + alias
}

// List returns one page of a list and its capped count. It takes one round trip, or two if the rows
// are scattered or selective. The query has neither condition nor order nor limit;
// id is its unique column, as the query names it. With p.ByKey the total is -1.
func List[T any](
	ctx context.Context, s *Store, p Page, by Order, id, sql string, w *Where,
) (list []T, total int, err error) {
	return listShown[T](ctx, s, p, by, id, sql, func(page string) string { return page }, w)
}

// ListChosen does what List does for rows that are dear to show. The query selects the ids of the
// rows and what they are ordered by. Show is the query of what is shown of the rows t, without a
// condition; it is asked for the rows of the page only, however many come before them.
func ListChosen[T any](
	ctx context.Context, s *Store, p Page, by Order, id, sql, show string, w *Where,
) (list []T, total int, err error) {
	return listShown[T](ctx, s, p, by, id, sql, func(page string) string {
		return show + ` join (select c.id as chosen, row_number() over () as place from (` + page +
			`) c) chosen on chosen.chosen = t.id order by chosen.place`
	}, w)
}

// listShown is List with what makes the query of the rows of that of the page.
func listShown[T any](
	ctx context.Context, s *Store, p Page, by Order, id, sql string, show func(page string) string, w *Where,
) (list []T, total int, err error) {
	if p.ByKey {
		w.Args["after_name"], w.Args["after_id"] = p.After.Name, p.After.ID
		w.AndIf(p.After.ID != 0, by.After(p, id))
		sql += w.String()
		if w.scattered != nil {
			sql = OrderLast(sql, id)
		}
		list, err = many[T](ctx, s, show(fmt.Sprintf("%s%s limit %d", sql, by.Clause(p, id), p.Limit)), named(w.Args))
		return list, -1, err
	}
	part := fmt.Sprintf("%s limit %d offset %d", by.Clause(p, id), p.Limit, p.Offset)
	if w.scattered != nil || w.Selective != "" {
		return listCounted[T](ctx, s, p, id, sql, part, show, w)
	}
	sql += w.String()
	batch := &pgx.Batch{}
	batch.Queue(capped(sql), named(w.Args)...).QueryRow(func(row pgx.Row) error { return row.Scan(&total) })
	batch.Queue(show(sql+part), named(w.Args)...).Query(func(rows pgx.Rows) (err error) {
		list, err = pgx.CollectRows(rows, pgx.RowToStructByName[T])
		return err
	})
	return list, total, s.SendBatch(ctx, sql, batch)
}

// capped returns the query that counts the rows of a query, to the cap.
func capped(sql string) string {
	return fmt.Sprintf("select count(*) from (%s limit %d) counted", sql, MaxCount+1)
}

// listCounted returns a page that is read when the rows are counted. part is its order and limit.
func listCounted[T any](
	ctx context.Context, s *Store, p Page, id, sql, part string, show func(page string) string, w *Where,
) (list []T, total int, err error) {
	count := "select (" + capped(w.count(sql)) + ") as total, " +
		"(select reltuples::bigint from pg_class where oid = '" + w.table() + "'::regclass) as rows"
	counted, err := w.rows(ctx, s, count, func(rows pgx.Rows) (any, error) {
		return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[sizes])
	})
	if err != nil {
		return nil, 0, err
	}
	sizes := counted.(sizes)
	total = sizes.Total
	switch {
	case total <= p.Offset && total <= MaxCount:
		return nil, total, nil
	case sizes.walks(p):
		sql += w.walk()
	case w.scattered == nil && total > MaxCount:
		sql += w.String()
	default:
		sql = OrderLast(sql+w.String(), id)
	}
	page, err := w.rows(ctx, s, show(sql+part), func(rows pgx.Rows) (any, error) {
		return pgx.CollectRows(rows, pgx.RowToStructByName[T])
	})
	if err != nil {
		return nil, 0, err
	}
	return page.([]T), total, nil
}

// sizes are the numbers of rows of a list and of its table.
type sizes struct{ Total, Rows int }

// walks reports whether Postgres should ask each row in the order of the list until it has the
// page, if the rows of the list lie evenly in the table: whether it asks fewer than it would have
// to sort.
func (s sizes) walks(p Page) bool { return (p.Offset+p.Limit)*s.Rows < s.Total*s.Total }
