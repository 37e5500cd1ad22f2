package api_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
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

// atOnce calls do n times at once, and returns how often it returned which status.
func atOnce(n int, do func(i int) int) map[int]int {
	var all sync.WaitGroup
	answers := make([]int, n)
	for i := range n {
		all.Go(func() { answers[i] = do(i) })
	}
	all.Wait()
	counts := map[int]int{}
	for _, answer := range answers {
		counts[answer]++
	}
	return counts
}

// act does something by the API and returns the status of the answer.
func (w works) act(path string) int {
	return w.s.Do(w, w.owner.Token, "POST", fmt.Sprintf("/projects/%d/%s", w.project.ID, path), nil).Status
}

// states returns how many jobs of a pipeline have which state.
func (w works) states(p ci.Pipeline) map[string]int {
	w.Helper()
	list, err := db.Many[struct {
		Status string `db:"status"`
		N      int    `db:"n"`
	}](w.Context(), w.s.Store, `
		select status || case when retried then ', retried' else '' end as status, count(*) as n from jobs
		where pipeline_id = @id group by 1`, pgx.NamedArgs{"id": p.ID})
	require.NoError(w, err)
	counts := map[string]int{}
	for _, row := range list {
		counts[row.Status] = row.N
	}
	return counts
}

// pipelineStatus returns the state of a pipeline now.
func (w works) pipelineStatus(p ci.Pipeline) status.Status {
	w.Helper()
	now, err := ci.FindPipeline(w.Context(), w.s.Store, p.ID)
	require.NoError(w, err)
	return now.Status
}

// manyScripts returns jobs, so many in each of some stages.
func manyScripts(stages, each int, more ...func(*definition.Job)) (list []*definition.Job) {
	for stage := range stages {
		for n := range each {
			list = append(list, script(fmt.Sprintf("job %d of %d", n, stage), stage, more...))
		}
	}
	return list
}

// Commits at once on one branch have a pipeline each, in their order.
func TestCommitsAtOnce(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{".gitlab-ci.yml": "a: {script: a}"})
	var made int
	for made < 4 { // some lose against others, and learn it from the answer
		made += atOnce(4, func(i int) int {
			return y.Do(t, y.by.Token, "POST", p+"/repository/commits", map[string]any{
				"branch": "main", "commit_message": "More", "actions": []any{map[string]any{
					"action": "create", "file_path": fmt.Sprint("file ", made, " ", i), "content": "text",
				}},
			}).Status
		})[http.StatusCreated]
	}
	require.Len(t, y.pipelines(p), 1+made)
	var commits []struct {
		ID      string
		Parents []string `json:"parent_ids"`
	}
	y.ok("GET", p+"/repository/commits", nil).Into(t, &commits)
	rows, err := db.Values[string](t.Context(), y.Store, `
		select encode(commit_oid, 'hex') || ' ' || coalesce(encode(before_oid, 'hex'), '') from pipelines
		order by id desc`, nil)
	require.NoError(t, err)
	for n, c := range commits[:made] {
		require.Equal(t, c.ID+" "+c.Parents[0], rows[n])
	}
}

// Twenty runners at two processes run a pipeline of sixty jobs in three stages: each job once.
func TestRunnersOfOnePipeline(t *testing.T) {
	t.Parallel()
	w := newWorks(t, servertest.Start(t))
	beside := w
	beside.s = w.s.Beside(t)
	at := []works{w, beside}
	p := w.pipeline(manyScripts(3, 20)...)
	var ended atomic.Int32
	var took sync.Map
	atOnce(20, func(i int) int {
		for ended.Load() < 60 {
			code, job := at[i%2].ask(w.runner)
			if code != http.StatusCreated {
				time.Sleep(time.Millisecond) // as a runner waits, if not so long
				continue
			}
			if _, twice := took.LoadOrStore(job.ID, true); twice {
				t.Errorf("job %d was given twice", job.ID)
			}
			if got := at[(i+1)%2].put(job, map[string]any{"state": "success"}).StatusCode; got != http.StatusOK {
				t.Errorf("job %d is not over: %d", job.ID, got)
			}
			ended.Add(1)
		}
		return 0
	})
	require.Equal(t, map[string]int{"success": 60}, w.states(p))
	require.Equal(t, status.Success, w.pipelineStatus(p))
}

// A pipeline that several users retry at once has one new job for each that failed, and so has a
// job.
func TestRetryAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorks(t, servertest.Start(t))
	p := w.pipeline(manyScripts(2, 3)...)
	for range 3 {
		require.Equal(t, 200, w.put(w.take(), map[string]any{"state": "failed"}).StatusCode)
	}
	retry := fmt.Sprintf("pipelines/%d/retry", p.ID)
	require.Equal(t, map[int]int{201: 4}, atOnce(4, func(int) int { return w.act(retry) }))
	require.Equal(t, map[string]int{"failed, retried": 3, "pending": 3, "created": 3}, w.states(p))
	job := w.take()
	w.put(job, map[string]any{"state": "failed"})
	require.Equal(t, map[int]int{201: 1, 403: 3}, atOnce(4, func(int) int {
		return w.act(fmt.Sprintf("jobs/%d/retry", job.ID))
	}))
	require.Equal(t, map[string]int{"failed, retried": 4, "pending": 3, "created": 3}, w.states(p))
}

// A job that several users play at once starts once.
func TestPlayAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorks(t, servertest.Start(t))
	p := w.pipeline(script("a", 1, func(j *definition.Job) { j.When = definition.Manual }))
	id, err := db.Value[int64](t.Context(), w.s.Store, `select id from jobs where pipeline_id = @id`,
		pgx.NamedArgs{"id": p.ID})
	require.NoError(t, err)
	play := fmt.Sprintf("jobs/%d/play", id)
	require.Equal(t, map[int]int{200: 1, 400: 3}, atOnce(4, func(int) int { return w.act(play) }))
	w.take()
	code, _ := w.ask(w.runner)
	require.Equal(t, http.StatusNoContent, code)
}

// A pipeline is canceled while runners take its jobs: what runs has to stop, nothing starts any
// more, and the hidden ref of the commit is removed.
func TestCancelAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorks(t, servertest.Start(t))
	var pipelines []ci.Pipeline
	for range 4 {
		pipelines = append(pipelines, w.pipeline(manyScripts(2, 8)...))
	}
	var taken sync.Map
	answers := atOnce(16, func(i int) int {
		if i < 8 {
			for range 4 {
				if code, job := w.ask(w.runner); code == http.StatusCreated {
					taken.Store(job.ID, job)
				}
			}
			return 0
		}
		return w.act(fmt.Sprintf("pipelines/%d/cancel", pipelines[i%4].ID)) // each twice
	})
	require.Equal(t, map[int]int{0: 8, http.StatusOK: 8}, answers)
	taken.Range(func(_, job any) bool {
		code := w.put(job.(given), map[string]any{"state": "failed", "failure_reason": "job_canceled"}).StatusCode
		require.Contains(t, []int{200, 403}, code)
		return true
	})
	w.s.Drain(t)
	for _, p := range pipelines {
		require.Equal(t, map[string]int{"canceled": 16}, w.states(p))
		require.Equal(t, status.Canceled, w.pipelineStatus(p))
		require.Empty(t, w.refs(p))
	}
	code, _ := w.ask(w.runner)
	require.Equal(t, http.StatusNoContent, code)
}
