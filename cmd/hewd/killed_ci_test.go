package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

var ciKills = flag.Int("ci-kills", 3, "how many times TestKilledCI kills hewd")

// works is a site whose projects have pipelines, with what clients and runners know of it.
type works struct {
	*fleet
	db       *pgx.Conn
	random   *rand.Rand
	projects []*ciProject
	runners  []string // tokens

	mu    sync.Mutex
	given map[int64]*givenJob // by the id of the job
	shaky map[string]int64    // the first job of a pipeline that fails once
}

// TestKilledCI kills two hewds on one database, one or both at a time, while git clients push, the
// API makes commits, merge requests and pipelines of schedules, and runners run the jobs. Once all
// is done, every push has its pipeline, every job ended and had one runner, and nothing that was
// acknowledged is lost.
func TestKilledCI(t *testing.T) {
	t.Parallel()
	env := map[string]string{
		"HEWD_DATABASE_URL": servertest.URL(t), "HEWD_SECRET_KEY": "a secret key that is long enough",
	}
	w := &works{
		fleet: newFleet(t, env), random: rand.New(rand.NewPCG(*killSeed, 1)),
		given: map[int64]*givenJob{}, shaky: map[string]int64{},
	}
	var err error
	w.db, err = pgx.Connect(t.Context(), env["HEWD_DATABASE_URL"])
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.db.Close(context.WithoutCancel(t.Context())) })
	for n, definition := range ciDefinitions {
		w.projects = append(w.projects, newCIProject(w, n, definition))
	}
	for n := range 5 {
		w.runners = append(w.runners, w.newRunner(n))
	}

	stopRunners := w.runAll()
	stopWriters := w.writeAll()
	for n := range *ciKills {
		for range 1 + w.random.IntN(10) {
			<-w.acks
		}
		at := time.NewTimer(time.Duration(w.random.IntN(200_000)) * time.Microsecond) // any moment will do
		<-at.C
		if n%3 == 2 { // both at once
			w.kill(0, 1)
			w.start(0)
			w.start(1)
		} else {
			w.kill(n % 2)
			w.start(n % 2)
		}
	}
	stopWriters()
	stopRunners()
	w.kill(0, 1)
	w.advanceClock()
	w.start(0)
	w.start(1)
	stopRunners = w.runAll()
	w.awaitIdle()
	stopRunners()
	w.checkAll()
	w.kill(0, 1)
	checkNothingLeft(t, env)
}

// advanceClock makes the database look as it does some minutes later: the tasks that killed
// processes had begun are due, the queue has no leader, and jobs that no runner has heard of are
// overdue.
func (w *works) advanceClock() {
	w.t.Helper()
	for _, sql := range []string{
		`update river_job set state = 'available', scheduled_at = now() where state in ('running', 'retryable')`,
		`delete from river_leader`,
		`update jobs set started_at = started_at - interval '6 minutes'
		 where status in ('running', 'canceling') and contacted_at is null`,
	} {
		_, err := w.db.Exec(w.t.Context(), sql)
		require.NoError(w.t, err)
	}
}

// unfinished are the queries of what is still to happen. Each returns a text for the failure.
var unfinished = []string{
	`select 'pipeline ' || id || ' ' || status from pipelines
	 where status not in ('success', 'failed', 'canceled', 'skipped')`,
	`select 'job ' || id || ' ' || status || ' ' || name from jobs
	 where status not in ('success', 'failed', 'canceled', 'skipped', 'manual')`,
	`select 'request ' || id from pipeline_requests`,
	`select 'task ' || kind || ' ' || state || ' ' || args || coalesce(errors::text, '') from river_job
	 where state in ('available', 'running', 'pending', 'retryable', 'discarded')
	    or state = 'scheduled' and scheduled_at < now()`,
}

// awaitIdle waits until nothing is left to do.
func (w *works) awaitIdle() {
	w.t.Helper()
	over := time.NewTimer(90 * time.Second)
	tick := time.NewTicker(50 * time.Millisecond)
	defer over.Stop()
	defer tick.Stop()
	for {
		var left []string
		for _, sql := range unfinished {
			left = append(left, w.strings(sql)...)
		}
		if len(left) == 0 {
			return
		}
		select {
		case <-tick.C:
		case <-over.C:
			require.Fail(w.t, "work is left after 90 s", "%d left: %q", len(left), left[:min(len(left), 40)])
		}
	}
}

// strings returns the rows of a query, which have one column of text each.
func (w *works) strings(sql string, args ...any) []string {
	w.t.Helper()
	rows, _ := w.db.Query(w.t.Context(), sql, args...) // its error is that of the rows
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(w.t, err, sql)
	return list
}

// repeatAll calls do again and again in n goroutines until stop, which waits for the last calls.
func repeatAll(t testing.TB, n int, do func(ctx context.Context, n int)) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			for ctx.Err() == nil {
				do(ctx, i)
			}
		})
	}
	return func() {
		cancel()
		all.Wait()
	}
}

// runAll runs jobs with all runners until stop.
func (w *works) runAll() (stop func()) {
	return repeatAll(w.t, len(w.runners), func(ctx context.Context, n int) { w.runOne(ctx, n) })
}

func (w *works) newRunner(n int) string {
	var made struct{ Token string }
	require.Equal(w.t, 201, w.projects[0].request("POST", "/user/runners", map[string]any{
		"runner_type": "instance_type", "description": fmt.Sprint(n),
	}, &made))
	return made.Token
}
