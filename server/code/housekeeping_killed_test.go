package code_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/db"
	"hew/server/jobs"
	"hew/server/servertest"
)

// Housekeeping that was killed keeps that of its repository out until the next process starts, and
// not for as long as it may run.
func TestKilledHousekeeping(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	st, pool, err := db.Open(ctx, db.Config{URL: servertest.URL(t)})
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	storage := code.NewStorage(t.TempDir(), nil)
	code.Attach(st, storage)
	t.Cleanup(func() { require.NoError(t, storage.Close()) })
	queue, err := jobs.Open(pool, st, code.Jobs(nil), nil, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.NoError(t, jobs.Enqueue(ctx, st, code.Housekeeping{RepositoryID: 1}))
	require.NoError(t, st.Exec(ctx, `
		update river_job set state = 'running', attempt = 1, attempted_at = now(),
			metadata = '{"process": 1000001, "process_attempt": 1}'`, nil))
	require.NoError(t, jobs.Enqueue(ctx, st, code.Housekeeping{RepositoryID: 1}))
	count := func() int {
		n, err := db.Value[int](ctx, st, `select count(*) from river_job where kind = 'housekeep_repository'`, nil)
		require.NoError(t, err)
		return n
	}
	require.Equal(t, 1, count(), "there is one already")
	require.NoError(t, queue.Start(ctx))
	t.Cleanup(func() { require.NoError(t, queue.Stop(context.Background())) })
	require.NoError(t, queue.Drain(ctx))
	require.NoError(t, jobs.Enqueue(ctx, st, code.Housekeeping{RepositoryID: 1}))
	require.Equal(t, 2, count(), "and now the next can come")
}
