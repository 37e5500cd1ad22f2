package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"hew/server/db"
	"hew/server/group"
	"hew/server/project"
)

// Over is a store over a database that may not be there.
func Over(d db.DB) *db.Store { return db.Over(d, db.Config{}) }

// Operation names a statement in errors.
var Operation = db.Operation

// ProjectOrders are the orders of lists of projects.
func ProjectOrders() map[string]string { return project.ProjectOrders }

// GroupsQuery is how a page of groups is read; of those that belong to somebody, how it is if they are few.
func GroupsQuery(f group.GroupFilter, p db.Page) (string, pgx.NamedArgs) {
	w := f.Where()
	if p.After.ID != 0 {
		w.Args["after_name"], w.Args["after_id"] = p.After.Name, p.After.ID
		w.And(true, group.GroupOrders.After(p, "n.id"))
	}
	sql := f.Query() + w.String()
	if w.Scattered {
		sql = db.Apart(sql, "n.id")
	}
	return fmt.Sprintf("%s%s limit %d", sql, group.GroupOrders.Clause(p, "n.id"), p.Limit), w.Args
}

// MigrateFirst makes the schema of the first migration, on an empty database.
func MigrateFirst(ctx context.Context, pool *pgxpool.Pool) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	return db.MigrateTo(ctx, conn.Conn(), db.Known()[:1])
}
