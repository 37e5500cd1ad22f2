package db

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Copy writes rows into columns of a table with one COPY in binary. It holds one row at a time.
func (s *Store) Copy(ctx context.Context, table string, columns []string, rows pgx.CopyFromSource) error {
	_, err := s.conn.CopyFrom(ctx, pgx.Identifier{table}, columns, rows)
	return s.failed("insert into "+table, err)
}

// Each calls do with each row of a query as it arrives. What a row is scanned into without a copy
// is valid until do returns. An error of do ends the query and is returned as it is.
func (s *Store) Each(ctx context.Context, sql string, args pgx.NamedArgs, do func(pgx.CollectableRow) error) error {
	rows, err := s.conn.Query(ctx, sql, named(args)...)
	if err != nil {
		return s.failed(sql, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows); err != nil {
			return err
		}
	}
	return s.failed(sql, rows.Err())
}
