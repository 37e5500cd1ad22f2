package group_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// world is a database without the API, and the helpers of the tests here.
type world struct {
	servertest.World
	t *testing.T
}

func newWorld(t *testing.T) world { return world{servertest.NewWorld(t), t} }

// texts returns the one column of a query.
func (w world) texts(sql string) []string {
	w.t.Helper()
	rows, err := w.DB().Query(w.t.Context(), sql)
	require.NoError(w.t, err)
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(w.t, err)
	return found
}
