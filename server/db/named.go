package db

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
)

// namedArgs are the arguments of a statement by their names. pgx.NamedArgs would parse the
// statement at each execution, which costs a tenth of a short request; these parse it once.
type namedArgs pgx.NamedArgs

// named returns the arguments as pgx takes them, and nothing if there are none.
func named(args pgx.NamedArgs) []any {
	if len(args) == 0 {
		return nil
	}
	return []any{namedArgs(args)}
}

// RewriteQuery implements pgx.QueryRewriter. A name without a value is null.
func (a namedArgs) RewriteQuery(
	ctx context.Context, conn *pgx.Conn, sql string, _ []any,
) (newSQL string, newArgs []any, err error) {
	p, err := positional(ctx, conn, sql)
	if err != nil {
		return "", nil, err
	}
	newArgs = make([]any, len(p.names))
	for i, name := range p.names {
		newArgs[i] = a[name]
	}
	return p.sql, newArgs, nil
}

// statement is one with $1 in the place of its first name.
type statement struct {
	sql   string
	names []string
}

// maxStatements bounds the statements that are remembered: pages have their offset in the text.
const maxStatements = 4096

var statements struct {
	sync.Map // text → statement
	count    atomic.Int64
}

// positional returns a statement with positions instead of names.
func positional(ctx context.Context, conn *pgx.Conn, sql string) (statement, error) {
	if known, ok := statements.Load(sql); ok {
		return known.(statement), nil
	}
	names := pgx.NamedArgs{}
	for _, found := range argument.FindAllStringSubmatch(sql, -1) {
		names[found[1]] = found[1]
	}
	text, ordered, err := names.RewriteQuery(ctx, conn, sql, nil)
	if err != nil {
		return statement{}, err
	}
	p := statement{sql: text, names: make([]string, len(ordered))}
	for i, name := range ordered {
		p.names[i], _ = name.(string) // one within a text or a comment is not among them
	}
	if statements.count.Add(1) <= maxStatements {
		statements.Store(sql, p)
	}
	return p, nil
}
