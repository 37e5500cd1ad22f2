package setting_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/servertest"
	"hew/server/setting"
)

var errUndone = errors.New("undone on purpose")

// A transaction sees what it changed; others see it once it is committed, and never what is rolled
// back.
func TestSettingsOfATransaction(t *testing.T) {
	t.Parallel()
	st := servertest.Store(t)
	ctx := t.Context()
	limit := func(st *db.Store) int {
		s, err := setting.Read(ctx, st)
		require.NoError(t, err)
		return s.DefaultProjectsLimit
	}
	require.Equal(t, 100_000, limit(st))
	for _, end := range []error{errUndone, nil} {
		tx, finish, err := st.Begin(ctx)
		require.NoError(t, err)
		require.NoError(t, setting.Set(ctx, tx, "default_projects_limit", 7))
		require.Equal(t, 7, limit(tx))
		require.Equal(t, 100_000, limit(st))
		require.ErrorIs(t, finish(end), end)
	}
	require.Equal(t, 7, limit(st))
}

// A process that caches the settings learns of changes by another process, including limits.
func TestSettingsAreHeard(t *testing.T) {
	t.Parallel()
	url := servertest.URL(t)
	here, herePool, err := db.Open(t.Context(), db.Config{URL: url})
	require.NoError(t, err)
	defer herePool.Close()
	there, therePool, err := db.Open(t.Context(), db.Config{URL: url})
	require.NoError(t, err)
	defer therePool.Close()
	heard := make(chan int64, 10)
	there.OnUserChange(func(id int64) { heard <- id })
	go func() { _ = there.Listen(t.Context()) }()
	require.Zero(t, <-heard)

	before, err := setting.Read(t.Context(), there)
	require.NoError(t, err)
	require.Zero(t, before.HookCallsPerMinute)
	require.NoError(t, here.Tx(t.Context(), func(tx *db.Store) error {
		l, err := setting.HoldPlanLimits(t.Context(), tx, "default")
		require.NoError(t, err)
		l.Limits.WebHookCalls = 7
		return setting.UpdatePlanLimits(t.Context(), tx, l)
	}))
	require.Zero(t, <-heard)
	after, err := setting.Read(t.Context(), there)
	require.NoError(t, err)
	require.Equal(t, 7, after.HookCallsPerMinute)
}
