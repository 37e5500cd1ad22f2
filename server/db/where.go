package db

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Where collects the conditions of a query. A condition that nobody asked for is left out, so that
// Postgres is free to use the index that fits.
type Where struct {
	conditions []string
	scattered  *Scattered
	Args       pgx.NamedArgs // of the conditions and of the query before them

	// Selective names the table of which the rows may be few of very many, such as those in which
	// a text is found. The rows are counted first and, if they are few, found before they are
	// ordered; and the statements are planned for the values of their arguments.
	Selective string
}

// Scattered is the condition that rows belong to one caller, who may have three of a million or
// most of them. Postgres cannot guess which, so the rows are counted first and the page is then
// read according to their number. All forms mean the same rows.
type Scattered struct {
	Table string // that the list reads, whose size matters
	Find  string // for an index: finds all rows, which are few
	Walk  string // for no index: is asked of each row in the order of the list, and soon finds a page of many
	// Count returns a query of all rows that meet further conditions as well ("true" if there are
	// none), without columns. It is nil if Find is good enough.
	Count func(conditions string) string
}

// NewWhere returns a Where without conditions. The arguments may be nil.
func NewWhere(args pgx.NamedArgs) *Where {
	if args == nil {
		args = pgx.NamedArgs{}
	}
	return &Where{Args: args}
}

var argument = regexp.MustCompile(`@(\w+)`)

// And adds a condition. The values are those of the arguments that it names, in the order in which
// it first names them. Arguments beyond them must be in Args already; to give more values than it
// names is a programming error and panics.
func (w *Where) And(condition string, values ...any) {
	w.conditions = append(w.conditions, condition)
	var names []string
	for _, found := range argument.FindAllStringSubmatch(condition, -1) {
		if !slices.Contains(names, found[1]) {
			names = append(names, found[1])
		}
	}
	for i, v := range values {
		w.Args[names[i]] = v
	}
}

// AndIf adds a condition if it was asked for.
func (w *Where) AndIf(asked bool, condition string, values ...any) {
	if asked {
		w.And(condition, values...)
	}
}

// AndScattered adds the condition of a list whose rows belong to one caller. There is one at most.
func (w *Where) AndScattered(c Scattered) { w.scattered = &c }

// String returns the clause to append to a query, or "" if there are no conditions.
func (w *Where) String() string {
	if w.scattered == nil {
		return clause(w.conditions)
	}
	return clause(append(slices.Clone(w.conditions), w.scattered.Find))
}

// walk returns the clause for a page that is found in the order of the list.
func (w *Where) walk() string {
	if w.scattered == nil {
		return w.String()
	}
	return clause(append(slices.Clone(w.conditions), w.scattered.Walk))
}

// table returns the table that the list reads.
func (w *Where) table() string {
	if w.scattered != nil {
		return w.scattered.Table
	}
	return w.Selective
}

// rows runs a query that reads, and returns what collect makes of its rows.
func (w *Where) rows(
	ctx context.Context, s *Store, sql string, collect func(pgx.Rows) (any, error),
) (found any, err error) {
	batch := &pgx.Batch{}
	if w.Selective != "" {
		batch.Queue(`set plan_cache_mode = force_custom_plan`)
	}
	batch.Queue(sql, named(w.Args)...).Query(func(rows pgx.Rows) (err error) {
		found, err = collect(rows)
		return err
	})
	if w.Selective != "" {
		batch.Queue(`set plan_cache_mode = force_generic_plan`)
	}
	return found, s.SendBatch(ctx, sql, batch)
}

func clause(conditions []string) string {
	if len(conditions) == 0 {
		return ""
	}
	return "\nwhere " + conjunction(conditions)
}

func conjunction(conditions []string) string {
	return "(" + strings.Join(conditions, ")\n  and (") + ")"
}

// count returns a query of the rows of the list, without columns that matter; sql is the list's.
func (w *Where) count(sql string) string {
	switch {
	case w.scattered == nil || w.scattered.Count == nil:
		return sql + w.String()
	case len(w.conditions) == 0:
		return w.scattered.Count("true")
	}
	return w.scattered.Count(conjunction(w.conditions))
}
