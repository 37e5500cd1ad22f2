package api_test

import (
	"fmt"
	"net/http"
	"sync"
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

// Twenty runners take a hundred jobs: each job once, and none is left.
func TestManyRunners(t *testing.T) {
	t.Parallel()
	w := newWorks(t, servertest.Start(t))
	const pipelines, jobs, runners = 10, 10, 20
	for range pipelines {
		var list []*definition.Job
		for n := range jobs {
			list = append(list, script(fmt.Sprint("job ", n), 1+n%2))
		}
		w.pipeline(list...)
	}
	var mu sync.Mutex
	took, left := map[int64]int{}, pipelines*jobs
	var work sync.WaitGroup
	for range runners {
		work.Go(func() {
			for {
				mu.Lock()
				over := left == 0
				mu.Unlock()
				if over {
					return
				}
				code, job := w.ask(w.runner)
				if code == http.StatusNoContent || code == http.StatusConflict {
					time.Sleep(time.Millisecond) // as a runner waits, if not so long
					continue
				}
				if w.put(job, map[string]any{"state": "success"}).StatusCode != http.StatusOK {
					w.Errorf("job %d is not over", job.ID)
				}
				mu.Lock()
				took[job.ID]++
				left--
				mu.Unlock()
			}
		})
	}
	work.Wait()
	require.Len(t, took, pipelines*jobs)
	for id, n := range took {
		require.Equal(t, 1, n, "job %d", id)
	}
}

// A runner that waits at one process is given a job that another one makes, within moments.
func TestRunnerWaits(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	w := newWorks(t, s)
	there := w
	there.s = s.Beside(t)
	first := s.Do(t, "", "POST", "/jobs/request", map[string]any{"token": w.runner})
	require.Equal(t, http.StatusNoContent, first.Status)
	last := first.Header.Get("X-GitLab-Last-Update")
	require.NotEmpty(t, last)
	type answer struct {
		status int
		at     time.Time
	}
	answers := make(chan answer, 2)
	for _, at := range []works{w, there} {
		go func() {
			r := at.s.Do(t, "", "POST", "/jobs/request", map[string]any{"token": w.runner, "last_update": last})
			answers <- answer{r.Status, time.Now()}
		}()
	}
	require.Eventually(t, func() bool { return ci.Waiting(s.Store)+ci.Waiting(there.s.Store) == 2 },
		10*time.Second, time.Millisecond)
	w.pipeline(script("a", 1), script("b", 1))
	made := time.Now()
	for range 2 {
		got := <-answers
		require.Equal(t, http.StatusCreated, got.status)
		t.Logf("the answer came after %s", got.at.Sub(made))
	}
}

// Who may take a job: by tags, protection, pauses, and the kind of runner.
func TestWhoTakes(t *testing.T) {
	t.Parallel()
	w := newWorks(t, servertest.Start(t))
	docker := w.newRunner(map[string]any{"tag_list": "docker,linux", "run_untagged": false})
	careful := w.newRunner(map[string]any{"access_level": "ref_protected"})
	paused := w.newRunner(map[string]any{"paused": true})
	w.pipeline(script("tagged", 1, func(j *definition.Job) { j.Tags = []string{"docker"} }), script("plain", 1))
	for _, no := range []string{careful, paused} {
		code, _ := w.ask(no)
		require.Equal(t, http.StatusNoContent, code)
	}
	code, _ := w.ask("glrt-unknown")
	require.Equal(t, http.StatusForbidden, code)
	code, job := w.ask(docker)
	require.Equal(t, http.StatusCreated, code)
	require.Equal(t, "tagged", job.JobInfo.Name)
	require.Equal(t, "plain", w.take().JobInfo.Name)
	code, _ = w.ask(docker)
	require.Equal(t, http.StatusNoContent, code)

	w.pipeline(script("x", 1))
	w.s.Do(t, w.owner.Token, "POST", fmt.Sprintf("/projects/%d/archive", w.project.ID), nil)
	code, _ = w.ask(w.runner)
	require.Equal(t, http.StatusNoContent, code, "the project is archived")
}

// A runner that stops jobs gracefully is told of a cancellation, and has the last word.
func TestCancelGracefully(t *testing.T) {
	t.Parallel()
	w := newWorks(t, servertest.Start(t))
	p := w.pipeline(script("a", 1))
	job := w.take()
	require.NoError(t, ci.CancelPipeline(t.Context(), w.s.Store, p.ID))
	resp := w.trace(job, 0, "text")
	require.Equal(t, http.StatusAccepted, resp.StatusCode)
	require.Equal(t, "canceling", resp.Header.Get("Job-Status"))
	require.Equal(t, 200, w.put(job, map[string]any{"state": "failed", "failure_reason": "job_canceled"}).StatusCode)
	j, err := ci.FindJob(t.Context(), w.s.Store, job.ID)
	require.NoError(t, err)
	require.Equal(t, status.Canceled, j.Status)
	resp = w.put(job, map[string]any{"state": "failed"})
	require.Equal(t, 403, resp.StatusCode)
	require.Equal(t, "canceled", resp.Header.Get("Job-Status"))
}

// refs returns the hidden refs of a pipeline, once what is due is done.
func (w works) refs(p ci.Pipeline) []string {
	w.Helper()
	w.s.Drain(w)
	list, err := db.Values[string](w.Context(), w.s.Store, `select name from refs where name = @name`,
		pgx.NamedArgs{"name": p.PipelineRef()})
	require.NoError(w, err)
	return list
}

// A runner never heard of the job that it took, and the pipeline is canceled before another takes
// it: the hidden ref of the commit is removed.
func TestCancelUnheard(t *testing.T) {
	t.Parallel()
	w := newWorks(t, servertest.Start(t))
	p := w.pipeline(script("a", 1))
	job, err := ci.FindJob(t.Context(), w.s.Store, w.take().ID)
	require.NoError(t, err)
	require.NoError(t, ci.GiveBack(t.Context(), w.s.Store, ci.Taken{Job: job}))
	require.Len(t, w.refs(p), 1)
	require.NoError(t, ci.CancelPipeline(t.Context(), w.s.Store, p.ID))
	require.Empty(t, w.refs(p))
}

// A pipeline is canceled while the answer for a runner is made: it gets no hidden ref any more.
func TestCancelBeforeAnswer(t *testing.T) {
	t.Parallel()
	w := newWorks(t, servertest.Start(t))
	p := w.pipeline(script("a", 1))
	r, err := ci.CreateRunner(t.Context(), w.s.Store, db.Container{ProjectID: &w.project.ID},
		func(*ci.Runner) error { return nil })
	require.NoError(t, err)
	taken, found, err := ci.TakeJob(t.Context(), w.s.Store, ci.Taker{Runner: r.Runner})
	require.NoError(t, err)
	require.True(t, found)
	require.NoError(t, ci.CancelPipeline(t.Context(), w.s.Store, p.ID))
	require.Empty(t, w.refs(p))
	_, err = ci.ReadWork(t.Context(), w.s.Store, ci.Site{}, taken, r.Runner)
	require.NoError(t, err)
	require.Empty(t, w.refs(p))
}
