package db_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/fault"
)

func TestCopyAndEach(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	columns := []string{"name", "title"}
	require.NoError(t, w.Copy(ctx, "topics", columns, pgx.CopyFromRows([][]any{{"a", "A"}, {"b", "B"}})))
	err := w.Copy(ctx, "topics", columns, pgx.CopyFromRows([][]any{{"c", "C"}, {"b", "B"}}))
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err), "a violated constraint has its refusal")

	names := func(sql string, do func(name string) error) error {
		return w.Each(ctx, sql, pgx.NamedArgs{"least": "a"}, func(row pgx.CollectableRow) error {
			var name string
			require.NoError(t, row.Scan(&name))
			return do(name)
		})
	}
	var read strings.Builder
	const sql = `select name from topics where name >= @least order by name`
	require.NoError(t, names(sql, func(name string) error { read.WriteString(name); return nil }))
	require.Equal(t, "ab", read.String())
	enough := errors.New("enough")
	require.ErrorIs(t, names(sql, func(string) error { return enough }), enough)
	require.ErrorContains(t, names(`select name from topics where name / 1 = @least`, nil), "select from topics: ")
	require.NoError(t, names(sql, func(string) error { return nil }), "the connection is usable after each of them")
}
