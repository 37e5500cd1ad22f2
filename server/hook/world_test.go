package hook_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/servertest"
)

// world is a database without the API, and the helpers of the tests here.
type world struct {
	servertest.World
	t *testing.T
}

func newWorld(t *testing.T) world { return world{servertest.NewWorld(t), t} }

// exec carries out a statement.
func (w world) exec(sql string) {
	w.t.Helper()
	require.NoError(w.t, w.Exec(w.t.Context(), sql, nil))
}

// count returns the number that a statement selects.
func (w world) count(sql string) int {
	w.t.Helper()
	n, err := db.Value[int](w.t.Context(), w.Store, sql, nil)
	require.NoError(w.t, err)
	return n
}
