package jobs_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/jobs"
	"hew/server/servertest"
)

// outcome is a job that ends as its arguments say.
type outcome struct {
	jobs.Once
	How string `json:"how"`
}

func (outcome) Kind() string { return "outcome" }

func TestObserveSeesEveryAttempt(t *testing.T) {
	t.Parallel()
	st, pool, err := db.Open(t.Context(), db.Config{URL: servertest.URL(t)})
	require.NoError(t, err)
	t.Cleanup(pool.Close)

	kind := jobs.On(func(_ context.Context, _ *db.Store, o outcome) error {
		switch o.How {
		case "panic":
			panic("at the job")
		case "error":
			return errors.New("no luck")
		}
		return nil
	})
	seen := make(chan jobs.Result)
	observe := func(kind string, result jobs.Result, took time.Duration) {
		if kind == (outcome{}).Kind() && took > 0 {
			seen <- result
		}
	}
	queue, err := jobs.Open(pool, st, []jobs.Kind{kind}, observe, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.NoError(t, queue.Start(t.Context()))
	t.Cleanup(func() { require.NoError(t, queue.Stop(context.Background())) })
	for how, want := range map[string]jobs.Result{"well": jobs.Completed, "error": jobs.Failed, "panic": jobs.Failed} {
		require.NoError(t, jobs.Enqueue(t.Context(), st, outcome{How: how}))
		select {
		case got := <-seen:
			require.Equal(t, want, got, how)
		case <-time.After(time.Minute):
			require.Fail(t, "the attempt was not observed", how)
		}
	}
}
