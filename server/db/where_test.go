package db_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
)

func TestWhere(t *testing.T) {
	t.Parallel()
	w := db.NewWhere(pgx.NamedArgs{"z": 9})
	require.Empty(t, w.String())
	w.And(`a = @a or b = @b or c = @a or z = @z`, 1, 2)
	w.AndIf(false, `d = @d`, 4)
	w.AndIf(true, `e = @e`, 5)
	require.Equal(t, "\nwhere (a = @a or b = @b or c = @a or z = @z)\n  and (e = @e)", w.String())
	require.Equal(t, pgx.NamedArgs{"a": 1, "b": 2, "e": 5, "z": 9}, w.Args)
	require.Panics(t, func() { w.And(`f = @f`, 6, 7) })
}
