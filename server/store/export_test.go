package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Over is a store over a database that may not be there.
func Over(db DB) *Store { return &Store{db: db, bells: &bells{}, memo: &sync.Map{}} }

// Operation names a statement in errors.
var Operation = operation

// HasWords says whether there are words for a constraint.
func HasWords(constraint string) bool {
	_, ok := words(constraint)
	return ok
}

// Constraints are the names of all constraints that have words of their own.
func Constraints() []string { return slices.Collect(maps.Keys(constraints)) }

// ProjectOrders are the orders of lists of projects.
func ProjectOrders() map[string]string { return projectOrders }

// GroupsQuery is how a page of groups is read; of those that belong to somebody, how it is if they are few.
func GroupsQuery(f GroupFilter, p Page) (string, pgx.NamedArgs) {
	w := f.where()
	if p.After.ID != 0 {
		w.args["after_name"], w.args["after_id"] = p.After.Name, p.After.ID
		w.and(true, groupOrders.after(p, "n.id"))
	}
	sql := f.query() + w.String()
	if w.scattered {
		sql = apart(sql, "n.id")
	}
	return fmt.Sprintf("%s%s limit %d", sql, groupOrders.clause(p, "n.id"), p.Limit), w.args
}

// MigrateFirst makes the schema of the first migration, on an empty database.
func MigrateFirst(ctx context.Context, pool *pgxpool.Pool) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	return migrate(ctx, conn.Conn(), known()[:1])
}
