package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/db"
	"hew/server/servertest"
)

// Two servers look at once for schedules that are due: each runs once. One that a killed server ran
// without saying so does not run again.
func TestSchedulesOfTwoServers(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	beside := y.Beside(t)
	p := y.project("site", map[string]string{".gitlab-ci.yml": "a: {script: a}"})
	const schedules = 8
	for n := range schedules {
		y.ok("POST", p+"/pipeline_schedules", map[string]any{
			"description": fmt.Sprint(n), "ref": "refs/heads/main", "cron": "0 4 * * *",
		})
	}
	y.Drain(t)
	due := time.Now().Add(25 * time.Hour)
	var lookouts sync.WaitGroup
	for n := range 6 {
		st := []*db.Store{y.Store, beside.Store}[n%2]
		lookouts.Go(func() {
			if err := ci.RunDue(t.Context(), st, due); err != nil {
				t.Error(err)
			}
		})
	}
	lookouts.Wait()
	want := slices.Repeat([]string{"schedule main pending: a"}, schedules)
	require.Equal(t, want, y.pipelines(p)[1:])
	require.NoError(t, y.Store.Exec(t.Context(), `
		update river_job set state = 'available', finalized_at = null where kind = 'run_pipeline_schedule'`, nil))
	require.Equal(t, want, y.pipelines(p)[1:])
}

// Pipelines that are created at once by two servers are all there, with numbers of their own.
func TestCreateAtOnce(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	at := []*servertest.Server{y.Server, y.Beside(t)}
	p := y.project("site", map[string]string{".gitlab-ci.yml": "a: {script: a}\nb: {script: b, needs: [a]}"})
	y.Drain(t)
	require.Equal(t, map[int]int{201: 8}, atOnce(8, func(i int) int {
		return at[i%2].Do(t, y.by.Token, "POST", p+"/pipeline", map[string]any{"ref": "main"}).Status
	}))
	require.Equal(t, slices.Repeat([]string{"api main pending: a b"}, 8), y.pipelines(p)[1:])
	numbers, err := db.Values[int](t.Context(), y.Store, `select iid from pipelines order by iid`, nil)
	require.NoError(t, err)
	require.Equal(t, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}, numbers)
}

// Runners at two servers run the jobs of a resource group: one at a time, and each of them.
func TestResourceGroupAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorks(t, servertest.Fresh(t))
	at := []works{w, w}
	at[1].s = w.s.Beside(t)
	require.Equal(t, http.StatusCreated, w.s.Do(w, w.owner.Token, "POST",
		fmt.Sprintf("/projects/%d/repository/commits", w.project.ID), map[string]any{
			"branch": "main", "commit_message": "Deploy [skip ci]", "actions": []map[string]any{{
				"action": "create", "file_path": ".gitlab-ci.yml",
				"content": "deploy: {script: deploy, resource_group: production}\nagain: {script: deploy, " +
					"resource_group: production, retry: 1}",
			}},
		}).Status)
	require.Equal(t, map[int]int{201: 6}, atOnce(6, func(i int) int { return at[i%2].act("pipeline?ref=main") }))
	var running, ended atomic.Int32
	const jobs = 6 * 3 // those that fail run again
	over := time.Now().Add(30 * time.Second)
	atOnce(5, func(i int) int {
		for ended.Load() < jobs && time.Now().Before(over) {
			code, job := at[i%2].ask(w.runner)
			if code != http.StatusCreated {
				time.Sleep(time.Millisecond) // as a runner waits, if not so long
				continue
			}
			if n := running.Add(1); n != 1 {
				t.Errorf("%d jobs of the group run at once", n)
			}
			at[i%2].trace(job, 0, "text")
			running.Add(-1)
			state := map[string]string{"deploy": "success", "again": "failed"}[job.JobInfo.Name]
			if got := at[(i+1)%2].put(job, map[string]any{"state": state}).StatusCode; got != http.StatusOK {
				t.Errorf("job %d is not over: %d", job.ID, got)
			}
			ended.Add(1)
		}
		return 0
	})
	require.EqualValues(t, jobs, ended.Load())
	w.s.Drain(t)
	left, err := db.Values[string](t.Context(), w.s.Store, `
		select name || ' ' || status from jobs where status not in ('success', 'failed')`, nil)
	require.NoError(t, err)
	require.Empty(t, left)
}
