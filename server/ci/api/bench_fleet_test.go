package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/git/object"
	"hew/server/servertest"
)

// fleet is a hewd with projects that have a definition of twenty jobs, and runners of the instance.
type fleet struct {
	*testing.B
	s        *servertest.Server
	client   *http.Client
	projects []int64
	commit   object.ID // of the last project

	mu    sync.Mutex
	given map[int64]int // how often a job was given to a runner
	over  atomic.Int64  // jobs whose end the server has acknowledged
}

const jobsOfPipeline = 20

// twentyJobs is a definition of three stages: four jobs; twelve, half of them waiting
// for a single one; and four more.
func twentyJobs() string {
	var text strings.Builder
	text.WriteString("stages: [build, test, deploy]\n.job: {script: [make]}\nvariables: {LEVEL: debug}\n")
	for n := range 4 {
		fmt.Fprintf(&text, "build%d: {stage: build, extends: .job}\ndeploy%d: {stage: deploy, extends: .job}\n", n, n)
	}
	for n := range 12 {
		needs := ""
		if n%2 == 0 {
			needs = fmt.Sprintf(", needs: [build%d]", n%4)
		}
		fmt.Fprintf(&text, "test%d: {stage: test, extends: .job%s, variables: {PART: \"%d\"}}\n", n, needs, n)
	}
	return text.String()
}

func newFleet(b *testing.B, projects int) *fleet {
	f := &fleet{B: b, s: servertest.Fresh(b), given: map[int64]int{}, client: &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: 200},
	}}
	b.Cleanup(f.client.CloseIdleConnections)
	for n := range projects {
		var p servertest.Made
		f.s.Do(b, f.s.RootToken, "POST", "/projects", map[string]any{"name": fmt.Sprint("site", n)}).Into(b, &p)
		made := f.s.Do(b, f.s.RootToken, "POST", fmt.Sprintf("/projects/%d/repository/commits", p.ID), map[string]any{
			"branch": "main", "commit_message": "Begin [skip ci]", "actions": []map[string]any{
				{"action": "create", "file_path": ".gitlab-ci.yml", "content": twentyJobs()},
			},
		})
		require.Equal(b, http.StatusCreated, made.Status)
		var at struct{ ID string }
		made.Into(b, &at)
		var err error
		f.commit, err = object.ParseID(at.ID)
		require.NoError(b, err)
		f.projects = append(f.projects, p.ID)
	}
	f.s.Drain(b)
	return f
}

// newRunner makes a runner of the instance and returns its token.
func (f *fleet) newRunner() string {
	var made struct{ Token string }
	f.s.Do(f, f.s.RootToken, "POST", "/user/runners", map[string]any{"runner_type": "instance_type"}).Into(f, &made)
	return made.Token
}

// send sends a request of a runner or user and decodes what is said into the answer, unless that is
// nil.
func (f *fleet) send(
	ctx context.Context, method, path string, header http.Header, body []byte, into any,
) *http.Response {
	r, err := http.NewRequestWithContext(ctx, method, f.s.URL+path, bytes.NewReader(body))
	if err != nil {
		f.Error(err)
		return nil
	}
	r.Header = header
	resp, err := f.client.Do(r)
	if err != nil {
		if ctx.Err() == nil {
			f.Error(err)
		}
		return nil
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	switch {
	case err != nil && ctx.Err() == nil:
		f.Error(err)
	case resp.StatusCode >= 400 && resp.StatusCode != http.StatusConflict:
		f.Errorf("%s %s: %d %s", method, path, resp.StatusCode, text)
	case into != nil && resp.StatusCode == http.StatusCreated:
		if err := json.Unmarshal(text, into); err != nil {
			f.Error(err)
		}
	}
	return resp
}

var jsonHeader = http.Header{"Content-Type": {"application/json"}}

// requestBody is what a runner asks for a job with.
func requestBody(token, lastUpdate string) []byte {
	text, _ := json.Marshal(map[string]any{ // of texts and booleans
		"token": token, "system_id": "s_1", "last_update": lastUpdate, "info": map[string]any{
			"name": "gitlab-runner", "version": "17.0.0", "revision": "44feccdf", "platform": "linux",
			"architecture": "amd64", "executor": "shell", "shell": "bash", "features": features,
		},
	})
	return text
}

// runJobs runs jobs as one runner until the context is over: a trace of 1 KiB, and the end.
func (f *fleet) runJobs(ctx context.Context, token string) {
	last := ""
	text := strings.Repeat("0123456789abcde\n", 64)
	for ctx.Err() == nil && !f.Failed() {
		var job struct {
			ID    int64
			Token string
		}
		resp := f.send(ctx, "POST", "/jobs/request", jsonHeader, requestBody(token, last), &job)
		switch {
		case resp == nil:
			return
		case resp.StatusCode == http.StatusNoContent:
			last = resp.Header.Get("X-GitLab-Last-Update")
			continue
		case resp.StatusCode != http.StatusCreated:
			continue
		}
		f.mu.Lock()
		f.given[job.ID]++
		f.mu.Unlock()
		f.send(ctx, "PATCH", fmt.Sprintf("/jobs/%d/trace?debug_trace=false", job.ID), http.Header{
			"Job-Token": {job.Token}, "Content-Type": {"text/plain"}, "Content-Range": {fmt.Sprintf("0-%d", len(text)-1)},
		}, []byte(text), nil)
		output := sumOf(text)
		end, _ := json.Marshal(map[string]any{"token": job.Token, "state": "success", "output": output})
		if resp := f.send(ctx, "PUT", fmt.Sprintf("/jobs/%d", job.ID), jsonHeader, end, nil); resp != nil &&
			resp.StatusCode == http.StatusOK {
			f.over.Add(1)
		}
	}
}

// create creates a pipeline in each project in turn, as one of several clients.
func (f *fleet) create(pipelines, client, clients int) {
	for n := client; n < pipelines && !f.Failed(); n += clients {
		path := fmt.Sprintf("/projects/%d/pipeline?ref=main", f.projects[n%len(f.projects)])
		f.send(f.Context(), "POST", path, http.Header{"Private-Token": {f.s.RootToken}}, nil, nil)
	}
}

// run creates pipelines and has runners run them, and returns how many jobs ended in a second. Each
// job must have been given once, and all must have succeeded.
func (f *fleet) run(pipelines, runners int) (perSecond float64) {
	ctx, stop := context.WithCancel(f.Context())
	defer stop()
	var work sync.WaitGroup
	var tokens []string
	for range runners {
		tokens = append(tokens, f.newRunner())
	}
	begun := time.Now()
	for _, token := range tokens {
		work.Go(func() { f.runJobs(ctx, token) })
	}
	const creators = 4
	for n := range creators {
		work.Go(func() { f.create(pipelines, n, creators) })
	}
	jobs := int64(pipelines * jobsOfPipeline)
	for f.over.Load() < jobs && !f.Failed() {
		time.Sleep(time.Millisecond)
	}
	took := time.Since(begun)
	stop()
	work.Wait()
	require.Len(f, f.given, int(jobs), "jobs that were given")
	for id, n := range f.given {
		require.Equal(f, 1, n, "job %d", id)
	}
	for _, table := range []string{"jobs", "pipelines"} {
		left, err := db.Value[int](f.Context(), f.s.Store, `
			select count(*) from `+table+` where status not in ('success', 'skipped')`, nil)
		require.NoError(f, err)
		require.Zero(f, left, "%s without success", table)
	}
	return float64(jobs) / took.Seconds()
}
