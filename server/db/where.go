package db

import (
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Where collects the conditions of a query. A condition that nobody asked for is left out, so that
// Postgres is free to use the index that fits.
type Where struct {
	sql  strings.Builder
	Args pgx.NamedArgs // of the conditions and of the query before them

	// Scattered says that the rows of the list belong to one caller. Postgres cannot guess whether
	// these are three of a million or most of them, so the page is read according to their number.
	Scattered bool
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
	if w.sql.Len() == 0 {
		w.sql.WriteString("\nwhere ")
	} else {
		w.sql.WriteString("\n  and ")
	}
	w.sql.WriteString("(" + condition + ")")
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

// String returns the clause to append to a query, or "" if there are no conditions.
func (w *Where) String() string { return w.sql.String() }
