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

// patrol is a job that may run for an hour, and is watched.
type patrol struct{ errand }

func (patrol) Kind() string { return "patrol" }

// A process that starts takes up watched jobs whose process is dead, however long they may run, and
// gives up those that were lost too often. Which process has a job is noted.
func TestWatched(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	st, pool, err := db.Open(ctx, db.Config{URL: servertest.URL(t)})
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	done := make(chan bool, 3)
	queue, err := jobs.Open(pool, st, []jobs.Kind{
		jobs.On(func(ctx context.Context, st *db.Store, p patrol) error {
			noted, err := db.Value[int32](ctx, st, `
				select (metadata ->> 'process')::integer from river_job
				where args ->> 'name' = 'lost' and (metadata ->> 'process_attempt')::integer = attempt
					and attempt = 2`, nil)
			done <- err == nil && p.Name == "lost" && noted == *jobs.Process(st)
			return err
		}).Lasting(time.Hour).Watched(),
	}, nil, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	const dead, living = 1_000_001, 1_000_002
	pooled := st
	require.NoError(t, st.Tx(ctx, func(st *db.Store) error { // the other process that lives
		require.NoError(t, st.Exec(ctx, `select pg_advisory_xact_lock(@lock, @living)`,
			pgx.NamedArgs{"lock": jobs.ProcessLock, "living": living}))
		for _, began := range []struct {
			name             string
			process, attempt int
			noted            int // the attempt with which the process was noted
		}{
			{"lost", dead, 1, 1}, {"hopeless", dead, 25, 25}, {"taken again", dead, 2, 1}, {"alive", living, 1, 1},
		} {
			queued := patrol{errand{began.name}}
			require.NoError(t, jobs.Enqueue(ctx, pooled, queued))
			require.NoError(t, pooled.Exec(ctx, `
				update river_job set state = 'running', attempt = @attempt, attempted_by = array['another process'],
				       attempted_at = now(),
				       metadata = jsonb_build_object('process', @process::int, 'process_attempt', @noted::int)
				where state = 'available'`,
				pgx.NamedArgs{"attempt": began.attempt, "process": began.process, "noted": began.noted}))
		}
		require.NoError(t, queue.Start(ctx))
		t.Cleanup(func() { require.NoError(t, queue.Stop(context.Background())) })
		select {
		case right := <-done:
			require.True(t, right, "the lost job is done, by this process")
		case <-time.After(time.Minute):
			require.Fail(t, "nothing took up the job of the killed process")
		}
		return nil
	}))
	states, err := db.Values[string](ctx, st, `
		select (args ->> 'name') || ' ' || state from river_job where kind = 'patrol' and args ->> 'name' <> 'lost'
		order by 1`, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"alive running", "hopeless discarded", "taken again running"}, states)
	require.Empty(t, done)
}

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
		select args ->> 'name' from river_job
		where state = 'running' and attempt = 1 and kind <> 'requeue_lost_jobs' order by 1`, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"long", "young"}, running)
	require.Empty(t, done)
}
