package db

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrationLock is the advisory lock of a running migration; the number has no meaning.
const migrationLock = 0x68657764

// migration is one file, named by it; forward only, each in a transaction of its own.
type migration struct{ name, sql, checksum string }

// Migrate brings the schema up to date: our migrations in the order of their names, then the job
// queue's. Processes that start together wait for each other. A migration that was changed after it
// ran, and a database that is ahead of this program, are errors.
func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	if err := checkFinished(ctx, pool); err != nil {
		return err
	}
	return migrateAll(ctx, pool, known(), 0)
}

// migrateAll applies a list of migrations and those of the job queue up to a version, 0 for the
// newest.
func migrateAll(ctx context.Context, pool *pgxpool.Pool, list []migration, queue int) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, `select pg_advisory_lock($1)`, migrationLock); err != nil {
		return fmt.Errorf("migrate: wait for the lock: %w", err)
	}
	defer conn.Exec(context.WithoutCancel(ctx), `select pg_advisory_unlock($1)`, migrationLock)

	if err := migrateTo(ctx, conn.Conn(), list); err != nil {
		return err
	}
	if err := migrateQueue(ctx, conn.Conn(), pool, queue); err != nil {
		return fmt.Errorf("migrate the job queue: %w", err)
	}
	return nil
}

// migrateQueue brings the tables of the job queue to a version, 0 for the newest. It asks for their
// version first: River's own check reads the catalog of columns, which takes longer than the rest
// of a start.
func migrateQueue(ctx context.Context, conn *pgx.Conn, pool *pgxpool.Pool, version int) error {
	river, err := rivermigrate.New(riverpgxv5.New(pool), nil)
	if err != nil {
		return err
	}
	var exists bool
	if err := conn.QueryRow(ctx, `select to_regclass('river_migration') is not null`).Scan(&exists); err != nil {
		return err
	}
	if exists {
		applied, err := queueVersion(ctx, conn)
		if err != nil {
			return err
		}
		if versions := river.AllVersions(); applied == versions[len(versions)-1].Version {
			return nil
		}
	}
	_, err = river.Migrate(ctx, rivermigrate.DirectionUp, &rivermigrate.MigrateOpts{TargetVersion: version})
	return err
}

// queueVersion returns the newest version of the job queue's tables that was applied.
func queueVersion(ctx context.Context, conn *pgx.Conn) (version int, err error) {
	err = conn.QueryRow(ctx, `select coalesce(max(version), 0) from river_migration`).Scan(&version)
	return version, err
}

// migrateTo applies what is missing of a list, on a connection that holds the lock.
func migrateTo(ctx context.Context, conn *pgx.Conn, list []migration) error {
	if _, err := conn.Exec(ctx, `
		create table if not exists schema_migrations (
		    name       text primary key,
		    checksum   text not null,
		    applied_at timestamptz not null default now()
		)`); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	rows, err := conn.Query(ctx, `select name, checksum from schema_migrations`)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	done := map[string]string{}
	var name, checksum string
	if _, err := pgx.ForEachRow(rows, []any{&name, &checksum},
		func() error { done[name] = checksum; return nil }); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	for _, m := range list {
		ran, ok := done[m.name]
		delete(done, m.name)
		switch {
		case ok && ran != m.checksum:
			return fmt.Errorf("migration %s was changed after it ran on this database: "+
				"restore the file and put the change into a new one", m.name)
		case ok:
			continue
		}
		if err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, m.sql); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, `insert into schema_migrations (name, checksum) values ($1, $2)`, m.name, m.checksum)
			return err
		}); err != nil {
			return fmt.Errorf("migration %s: %w", m.name, err)
		}
	}
	for name := range done {
		return fmt.Errorf("the database has seen migration %s, which this hewd does not know: use a newer hewd", name)
	}
	return nil
}

// known reads the embedded migrations.
func known() []migration {
	files, err := fs.Glob(migrations, "migrations/*.sql") // sorted
	if err != nil {
		panic(err) // a malformed pattern
	}
	var list []migration
	for _, file := range files {
		text, err := migrations.ReadFile(file)
		if err != nil {
			panic(err) // embedded
		}
		sum := sha256.Sum256(text)
		list = append(list, migration{name: path.Base(file), sql: string(text), checksum: hex.EncodeToString(sum[:])})
	}
	return list
}

// SchemaHash returns a name for the schema that Migrate arrives at, the job queue's tables
// included. Databases with the same hash are interchangeable.
func SchemaHash() string {
	sum := sha256.New()
	for _, m := range known() {
		fmt.Fprintln(sum, m.name, m.checksum)
	}
	river, err := rivermigrate.New(riverpgxv5.New(nil), nil)
	if err != nil {
		panic(err) // a malformed configuration
	}
	for _, m := range river.AllVersions() {
		fmt.Fprintln(sum, m.Version, m.SQLUp)
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
}
