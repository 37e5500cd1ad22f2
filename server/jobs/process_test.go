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

// A process is dead once it has ended or has lost its connection, and gets another number then.
func TestProcess(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	st, pool, err := db.Open(ctx, db.Config{URL: servertest.URL(t)})
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	kinds := []jobs.Kind{jobs.On(func(context.Context, *db.Store, greeting) error { return nil })}
	queue, err := jobs.Open(pool, st, kinds, nil, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.Nil(t, jobs.Process(st), "it has not started")
	require.NoError(t, queue.Start(ctx))
	isDead := func(n int32) bool {
		dead, err := db.Value[bool](ctx, st, `select `+jobs.IsDead("n")+` from (select @n::integer as n) p`,
			pgx.NamedArgs{"n": n})
		require.NoError(t, err)
		return dead
	}
	first := *jobs.Process(st)
	require.False(t, isDead(first))
	require.True(t, isDead(first+1_000_000))

	require.NoError(t, st.Exec(ctx, `
		select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objsubid = 2 and objid::bigint = @n
		and database = (select oid from pg_database where datname = current_database())`, pgx.NamedArgs{"n": first}))
	require.Eventually(t, func() bool {
		now := jobs.Process(st)
		return now != nil && *now != first
	}, time.Minute, 10*time.Millisecond)
	require.True(t, isDead(first))
	second := *jobs.Process(st)
	require.NoError(t, st.Exec(ctx, `select setval('process_numbers', @n, false)`, pgx.NamedArgs{"n": second}))
	other, err := jobs.Open(pool, db.Over(pool, db.Config{}), kinds, nil, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.NoError(t, other.Start(ctx), "its number is taken, so it gets another one")
	require.NoError(t, other.Stop(context.Background()))
	require.False(t, isDead(second))
	require.NoError(t, queue.Stop(context.Background()))
	require.Nil(t, jobs.Process(st))
	require.Eventually(t, func() bool { return isDead(second) }, time.Minute, 10*time.Millisecond)
}

// greeting is a job that a process adds when it starts.
type greeting struct{}

func (greeting) Kind() string { return "greeting" }

// A process that starts does not wait for the one that adds jobs at intervals, which may be dead.
func TestAtStart(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	st, pool, err := db.Open(ctx, db.Config{URL: servertest.URL(t)})
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	require.NoError(t, st.Exec(ctx, `
		insert into river_leader (name, leader_id, elected_at, expires_at)
		values ('default', 'a dead process', now(), now() + interval '1 hour')`, nil))
	done := make(chan bool, 2)
	kind := jobs.On(func(context.Context, *db.Store, greeting) error { done <- true; return nil })
	queue, err := jobs.Open(pool, st, []jobs.Kind{kind.Each(time.Hour).AtStart()}, nil, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.NoError(t, queue.Start(ctx))
	t.Cleanup(func() { require.NoError(t, queue.Stop(context.Background())) })
	select {
	case <-done:
	case <-time.After(time.Minute):
		require.Fail(t, "the process has not added its job")
	}
}
