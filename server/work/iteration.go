package work

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// Iteration is a row of iterations: a span of days of a group and all below it.
type Iteration struct {
	ID          int64     `db:"id,auto"`
	NamespaceID int64     `db:"namespace_id"`
	IID         int       `db:"iid"`
	Title       *string   `db:"title"`
	Description *string   `db:"description"`
	StartDate   db.Date   `db:"start_date"`
	DueDate     db.Date   `db:"due_date"`
	CreatedAt   time.Time `db:"created_at,auto"`
	UpdatedAt   time.Time `db:"updated_at,auto"`
	Path        string    `db:"path,auto"` // full path of the group
}

const selectIterations = `
	select t.*, n.full_path as path from iterations t join namespaces n on n.id = t.namespace_id`

// IterationsByID returns iterations by their ids, wherever they are.
func IterationsByID(ctx context.Context, s *db.Store, ids []int64) (map[int64]Iteration, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := db.Many[Iteration](ctx, s, selectIterations+` where t.id = any(@ids)`, pgx.NamedArgs{"ids": ids})
	byID := make(map[int64]Iteration, len(list))
	for _, i := range list {
		byID[i.ID] = i
	}
	return byID, err
}

// The states of iterations, as the API counts them.
const (
	IterationUpcoming = 1
	IterationCurrent  = 2
	IterationClosed   = 3
)

// State returns the state that follows from the days.
func (i Iteration) State() int {
	today := db.Today()
	switch {
	case today.Before(i.StartDate.Time):
		return IterationUpcoming
	case today.After(i.DueDate.Time):
		return IterationClosed
	}
	return IterationCurrent
}
