package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"hew/server/db"
	"hew/server/group"
	"hew/server/project"
)

// Over is a store over a database that may not be there.
func Over(d db.DB) *db.Store { return &db.Store{Db: d, Bells: &db.Bells{}, Memo: &sync.Map{}} }

// Operation names a statement in errors.
var Operation = db.Operation

// HasWords says whether there are words for a constraint.
func HasWords(constraint string) bool {
	_, ok := db.Words(constraint)
	return ok
}

// Constraints are the names of all constraints that have words of their own.
func Constraints() []string { return slices.Collect(maps.Keys(db.Constraints)) }

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
