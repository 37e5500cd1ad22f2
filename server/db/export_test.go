package db

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Operation names a statement in errors.
var Operation = operation

// Refused are the names of all constraints that have a refusal by their whole name.
func (s *Store) Refused() []string {
	return append(slices.Collect(maps.Keys(s.refusals)), slices.Collect(maps.Keys(ownRefusals))...)
}

// MigrateBefore brings a database to the schema before a migration.
func MigrateBefore(ctx context.Context, pool *pgxpool.Pool, name string) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	all := known()
	at := slices.IndexFunc(all, func(m migration) bool { return m.name == name })
	return migrateTo(ctx, conn.Conn(), all[:at])
}

// MigrateFirst makes the schema of the first migration, on an empty database.
func MigrateFirst(ctx context.Context, pool *pgxpool.Pool) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	return migrateTo(ctx, conn.Conn(), known()[:1])
}
