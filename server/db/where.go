package db

import (
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Where is the condition of a list. Only what is asked for is in it: that leaves Postgres free to
// use the index that fits.
type Where struct {
	sql  strings.Builder
	Args pgx.NamedArgs

	// scattered says that what is listed belongs to somebody: that is three rows of a million or
	// most of them, and Postgres cannot guess which.
	Scattered bool
}

// NewWhere is a where that has these arguments and admits everything.
func NewWhere(args pgx.NamedArgs) *Where {
	if args == nil {
		args = pgx.NamedArgs{}
	}
	return &Where{Args: args}
}

var argument = regexp.MustCompile(`@(\w+)`)

// And adds a condition if it is asked for. A value is for the argument that the condition names
// first; the others are those that the where has already.
func (w *Where) And(asked bool, condition string, value ...any) {
	if !asked {
		return
	}
	if w.sql.Len() == 0 {
		w.sql.WriteString("\nwhere ")
	} else {
		w.sql.WriteString("\n  and ")
	}
	w.sql.WriteString("(" + condition + ")")
	for _, v := range value {
		w.Args[argument.FindStringSubmatch(condition)[1]] = v
	}
}

// String is the clause, ready to be put behind a query; empty if there is no condition.
func (w *Where) String() string { return w.sql.String() }
