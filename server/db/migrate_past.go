package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Schema says which migrations a database has seen.
type Schema struct {
	Migrations map[string]string `json:"migrations"` // their checksums by their names
	Queue      int               `json:"queue"`      // the version of the job queue's tables
}

// ReadSchema returns the schema of a database that was migrated.
func ReadSchema(ctx context.Context, conn *pgx.Conn) (s Schema, err error) {
	rows, err := conn.Query(ctx, `select name, checksum from schema_migrations`)
	if err != nil {
		return s, fmt.Errorf("read the migrations: %w", err)
	}
	s.Migrations = map[string]string{}
	var name, checksum string
	if _, err := pgx.ForEachRow(rows, []any{&name, &checksum}, func() error {
		s.Migrations[name] = checksum
		return nil
	}); err != nil {
		return s, fmt.Errorf("read the migrations: %w", err)
	}
	s.Queue, err = queueVersion(ctx, conn)
	return s, err
}

// Unfinished is a table that is in a database from MigrateTo until its rows are there: Migrate
// refuses a database that has it.
const Unfinished = "unfinished_restore"

// errUnfinished is the error of a database whose restore failed.
var errUnfinished = errors.New("a restore of this database did not finish: drop the database, or for a private " +
	"Postgres remove the directory postgres in the data directory, and restore it again")

// checkFinished returns errUnfinished if a restore of the database failed.
func checkFinished(ctx context.Context, pool *pgxpool.Pool) (err error) {
	var unfinished bool
	err = pool.QueryRow(ctx, `select to_regclass($1) is not null`, Unfinished).Scan(&unfinished)
	if err == nil && unfinished {
		err = errUnfinished
	}
	return err
}

// MigrateTo gives an empty database the schema that another one had, so that rows of that one fit.
// The caller drops the table Unfinished in the transaction that writes them.
func MigrateTo(ctx context.Context, pool *pgxpool.Pool, s Schema) error {
	var used bool
	err := pool.QueryRow(ctx, `
		select exists (select from pg_class
			where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm'))`).Scan(&used)
	if err != nil {
		return fmt.Errorf("look into the database: %w", err)
	}
	if used {
		return errors.New("the database is not empty; give one without tables, or for a private Postgres remove the " +
			"directory postgres in the data directory")
	}
	var list []migration
	for _, m := range known() {
		checksum, ok := s.Migrations[m.name]
		if ok && checksum != m.checksum {
			return fmt.Errorf("migration %s was another one there: use the version of hewd that wrote it", m.name)
		}
		if ok {
			list = append(list, m)
		}
	}
	if len(list) < len(s.Migrations) {
		return errors.New("it has seen migrations that this hewd does not know: use a newer hewd")
	}
	if _, err := pool.Exec(ctx, `create table `+Unfinished+` ()`); err != nil {
		return fmt.Errorf("mark the database as unfinished: %w", err)
	}
	return migrateAll(ctx, pool, list, s.Queue)
}
