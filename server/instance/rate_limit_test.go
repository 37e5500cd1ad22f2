package instance_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/instance"
	"hew/server/servertest"
)

// Counts of requests go an hour after they began, and no earlier.
func TestSweepRateLimits(t *testing.T) {
	t.Parallel()
	st := servertest.NewWorld(t).Store
	require.NoError(t, st.Exec(t.Context(), `
		insert into rate_limits (name, holder, since, requests)
		values ('x', 'old', now() - interval '61 minutes', 1), ('x', 'new', now() - interval '59 minutes', 1)`, nil))
	require.NoError(t, instance.SweepRateLimits(t.Context(), st))
	left, err := db.Values[string](t.Context(), st, `select holder from rate_limits where name = 'x'`, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"new"}, left)
}
