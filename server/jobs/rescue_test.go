package jobs_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/jobs"
	"hew/server/servertest"
)

// errand is a job that a process began and did not end.
type errand struct {
	Name string `json:"name"`
}

func (errand) Kind() string { return "errand" }

// expedition is a job that may run for an hour.
type expedition struct{ errand }

func (expedition) Kind() string { return "expedition" }

// A process that starts takes up the jobs that a killed one began more than two minutes ago. It
// leaves alone those that another process may still be doing.
func TestRescue(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	st, pool, err := db.Open(ctx, db.Config{URL: servertest.URL(t)})
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	done := make(chan string, 3)
	kinds := []jobs.Kind{
		jobs.On(func(_ context.Context, _ *db.Store, e errand) error { done <- e.Name; return nil }),
		jobs.On(func(_ context.Context, _ *db.Store, e expedition) error {
			done <- e.Name
			return nil
		}).Lasting(time.Hour),
	}
	queue, err := jobs.Open(pool, st, kinds, nil, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	for _, began := range []struct {
		job jobs.Args
		ago time.Duration
	}{
		{errand{"lost"}, 125 * time.Second},
		{errand{"young"}, 30 * time.Second},
		{expedition{errand{"long"}}, 50 * time.Minute},
	} {
		require.NoError(t, jobs.Enqueue(ctx, st, began.job))
		require.NoError(t, st.Exec(ctx, `
			update river_job set state = 'running', attempt = 1, attempted_by = array['another process'], attempted_at = @at
			where state = 'available'`, pgx.NamedArgs{"at": time.Now().Add(-began.ago)}))
	}
	require.NoError(t, queue.Start(ctx))
	t.Cleanup(func() { require.NoError(t, queue.Stop(context.Background())) })
	select {
	case name := <-done:
		require.Equal(t, "lost", name)
	case <-time.After(time.Minute):
		require.Fail(t, "nothing took up the job of the killed process")
	}
	running, err := db.Values[string](ctx, st, `
		select args ->> 'name' from river_job where state = 'running' and attempt = 1 order by 1`, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"long", "young"}, running)
	require.Empty(t, done)
}
