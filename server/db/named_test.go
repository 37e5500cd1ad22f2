package db_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/servertest"
)

// A statement means the same at its second execution, with other values and other missing names. A
// name in a text, in a comment or behind a cast is none.
func TestNamedArguments(t *testing.T) {
	t.Parallel()
	st := servertest.Store(t)
	const sql = `select concat_ws(',', @b::text, @a::text, @b::text, '@a', $$@b$$, "@c") -- @a
		from (select array['x'] @> array[@a::text] as "@c") s`
	for _, c := range []struct {
		args pgx.NamedArgs
		want string
	}{
		{pgx.NamedArgs{"a": "x", "b": "2"}, "2,x,2,@a,@b,t"},
		{pgx.NamedArgs{"a": "3", "b": "4", "c": "5"}, "4,3,4,@a,@b,f"},
		{pgx.NamedArgs{"b": "4"}, "4,4,@a,@b,f"},
	} {
		got, err := db.Value[string](t.Context(), st, sql, c.args)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
}
