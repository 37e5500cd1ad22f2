package ci_test

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/ci/definition"
	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/servertest"
)

// container is the project of the story.
func container(s story) db.Container { return db.Container{ProjectID: &s.p.ProjectID} }

// takes gives a job to a runner of the story's project.
func (s story) takes() ci.Taken {
	s.Helper()
	r, err := ci.CreateRunner(s.Context(), s.st, container(s), func(*ci.Runner) error { return nil })
	require.NoError(s, err)
	taken, found, err := ci.TakeJob(s.Context(), s.st, ci.Taker{Runner: r.Runner})
	require.NoError(s, err)
	require.True(s, found)
	return taken
}

// at has the watchdog look at a time from now.
func (s story) at(in time.Duration) {
	s.Helper()
	require.NoError(s, ci.WatchPipeline(s.Context(), s.st, time.Now().Add(in), s.p.ID))
}

func TestStuckJob(t *testing.T) {
	t.Parallel()
	s := newStory(t, build("a", 1))
	s.at(23 * time.Hour)
	s.are("a:pending; pending")
	s.at(25 * time.Hour)
	s.are("a:failed; failed")
	require.Equal(t, "stuck_or_timeout_failure", *s.job("a").FailureReason)
}

// A job whose runner says nothing at all waits again; one whose runner falls silent fails.
func TestLostRunner(t *testing.T) {
	t.Parallel()
	s := newStory(t, build("a", 1))
	first := s.takes()
	s.at(4 * time.Minute)
	s.are("a:running; running")
	s.at(6 * time.Minute)
	s.are("a:pending; pending")
	second := s.takes()
	require.NotEqual(t, first.Job.TokenDigest, second.Job.TokenDigest)
	_, err := ci.AppendTrace(t.Context(), s.st, second.Job, 0, []byte("text"))
	require.NoError(t, err)
	s.at(30 * time.Minute)
	s.are("a:running; running")
	s.at(61 * time.Minute)
	s.are("a:failed; failed")
	require.Equal(t, "stuck_or_timeout_failure", *s.job("a").FailureReason)
}

func TestJobTimesOut(t *testing.T) {
	t.Parallel()
	s := newStory(t, build("a", 1, func(j *definition.Job) { j.Options.Timeout = 600 }))
	taken := s.takes()
	_, err := ci.AppendTrace(t.Context(), s.st, taken.Job, 0, []byte("text"))
	require.NoError(t, err)
	s.at(14 * time.Minute)
	s.are("a:running; running")
	s.at(16 * time.Minute)
	require.Equal(t, "job_execution_timeout", *s.job("a").FailureReason)
}

func TestDelayedJob(t *testing.T) {
	t.Parallel()
	delayed := func(j *definition.Job) { j.When, j.StartIn = definition.Delayed, 1800 }
	s := newStory(t, build("a", 1, delayed))
	s.at(29 * time.Minute)
	s.are("a:scheduled; scheduled")
	s.at(31 * time.Minute)
	s.are("a:pending; pending")
}

func TestStaleDelayedJob(t *testing.T) {
	t.Parallel()
	s := newStory(t, build("a", 1, func(j *definition.Job) { j.When, j.StartIn = definition.Delayed, 60 }))
	s.at(2 * time.Hour)
	require.Equal(t, "stale_schedule", *s.job("a").FailureReason)
}

// A trace is replaced from where a part begins, leaves no gap, and is an artifact once the job is
// over.
func TestTrace(t *testing.T) {
	t.Parallel()
	s := newStory(t, build("a", 1))
	ctx := t.Context()
	j := s.takes().Job
	read := func(from int64) string {
		r, err := ci.ReadTrace(ctx, s.st, j, from)
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NoError(t, r.Close())
		return string(text)
	}
	put := func(start int64, text string) int64 {
		now, err := ci.AppendTrace(ctx, s.st, j, start, []byte(text))
		require.NoError(t, err)
		return now.TraceSize
	}
	require.Empty(t, read(0))
	require.EqualValues(t, 5, put(0, "one, "))
	require.EqualValues(t, 10, put(5, "two, "))
	require.EqualValues(t, 15, put(10, "three"))
	require.Equal(t, "one, two, three", read(0))
	require.Equal(t, "wo, three", read(6))
	require.Empty(t, read(99))
	_, err := ci.AppendTrace(ctx, s.st, j, 16, []byte("x"))
	require.Equal(t, ci.OutOfRangeError{Size: 15}, err)
	require.EqualValues(t, 9, put(7, "ix")) // within the second part
	require.Equal(t, "one, twix", read(0))
	require.EqualValues(t, 9, put(9, ""))
	text := strings.Repeat("all again\n", 100)
	put(0, text)
	require.Equal(t, text, read(0))
	require.NoError(t, ci.FinishJob(ctx, s.st, j, ci.Outcome{Success: true}))
	require.NoError(t, ci.StoreTrace(ctx, s.st, j.ID))
	require.Equal(t, text, read(0))
	require.Equal(t, text[7:], read(7))
	rows, err := db.Value[int](ctx, s.st, `select count(*) from job_trace_chunks where job_id = @job`,
		pgx.NamedArgs{"job": j.ID})
	require.NoError(t, err)
	require.Zero(t, rows)
	j = s.job("a")
	require.Equal(t, status.Success, j.Status)
	_, err = ci.AppendTrace(ctx, s.st, j, 0, []byte("more"))
	require.Error(t, err)
}

// The trace of a job that fails and runs again is stored as that of any other.
func TestTraceOfRetried(t *testing.T) {
	t.Parallel()
	server := servertest.Fresh(t)
	s := newStoryOn(t, server, build("a", 1, func(j *definition.Job) {
		j.Options.Retry = &definition.Retry{Max: 1}
	}))
	j := s.takes().Job
	_, err := ci.AppendTrace(t.Context(), s.st, j, 0, []byte("text"))
	require.NoError(t, err)
	require.NoError(t, ci.FinishJob(t.Context(), s.st, j, ci.Outcome{Reason: "script_failure"}))
	s.are("a:pending; pending")
	server.Drain(t)
	rows, err := db.Values[string](t.Context(), s.st, `
		select 'part' from job_trace_chunks union all select file_type from job_artifacts`, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"trace"}, rows)
}
