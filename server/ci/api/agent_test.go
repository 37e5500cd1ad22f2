package api_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/ci/definition"
	"hew/server/ci/expression"
	"hew/server/git/object"
	"hew/server/servertest"
)

// works is a project with a commit, and a runner of its own.
type works struct {
	*testing.T
	s       *servertest.Server
	owner   servertest.Persona
	project servertest.Made
	commit  string
	runner  string // token
}

func newWorks(t *testing.T, s *servertest.Server) works {
	w := works{T: t, s: s, owner: s.User(t, strings.ToLower(t.Name()))}
	s.Do(t, w.owner.Token, "POST", "/projects", map[string]any{"name": "site"}).Into(t, &w.project)
	var made struct{ ID string }
	s.Do(t, w.owner.Token, "POST", fmt.Sprintf("/projects/%d/repository/commits", w.project.ID), map[string]any{
		"branch": "main", "commit_message": "Begin",
		"actions": []map[string]any{{"action": "create", "file_path": "a.lock", "content": "text\n"}},
	}).Into(t, &made)
	w.commit, w.runner = made.ID, w.newRunner(nil)
	return w
}

// newRunner creates another runner of the project and returns its token.
func (w works) newRunner(fields map[string]any) string {
	w.Helper()
	body := map[string]any{"runner_type": "project_type", "project_id": w.project.ID}
	for name, value := range fields {
		body[name] = value
	}
	var made struct{ Token string }
	w.s.Do(w, w.owner.Token, "POST", "/user/runners", body).Into(w, &made)
	return made.Token
}

// pipeline starts a pipeline of jobs.
func (w works) pipeline(jobs ...*definition.Job) ci.Pipeline {
	w.Helper()
	id, err := object.ParseID(w.commit)
	require.NoError(w, err)
	p, err := ci.StorePipeline(w.Context(), w.s.Store, ci.Pipeline{
		ProjectID: w.project.ID, Source: ci.ByPush, Ref: "main", Commit: id, UserID: &w.owner.ID,
	}, []expression.Variable{{Key: "GIVEN", Value: "with $CI_NODE_TOTAL"}}, jobs)
	require.NoError(w, err)
	return p
}

func script(name string, stage int, more ...func(*definition.Job)) *definition.Job {
	j := &definition.Job{
		Name: name, Base: name, Stage: "test", StageIndex: stage, Kind: definition.Build, When: definition.OnSuccess,
		Options: definition.Options{Script: []string{"true"}},
	}
	for _, set := range more {
		set(j)
	}
	return j
}

// given is a job as a runner decodes it.
type given struct {
	ID      int64
	Token   string
	GitInfo struct {
		RepoURL  string `json:"repo_url"`
		SHA      string
		Refspecs []string
		Depth    int
	} `json:"git_info"`
	JobInfo struct {
		Name string
	} `json:"job_info"`
	RunnerInfo struct{ Timeout int } `json:"runner_info"`
	Variables  []struct {
		Key, Value           string
		Public, Masked, File bool
	}
	Steps []struct {
		Name   string
		Script []string
	}
	Artifacts []struct {
		Type string `json:"artifact_type"`
	}
	Cache        []struct{ Key, Policy string }
	Dependencies []struct {
		ID            int64
		Token         string
		ArtifactsFile *struct {
			Filename string
			Size     int64
		} `json:"artifacts_file"`
	}
}

// variable returns the last value of a variable, as a runner takes it.
func (g given) variable(name string) (value string) {
	for _, v := range g.Variables {
		if v.Key == name {
			value = v.Value
		}
	}
	return value
}

// features are those of a recent runner.
var features = map[string]bool{
	"upload_multiple_artifacts": true, "artifacts_exclude": true, "multi_build_steps": true, "return_exit_code": true,
	"fallback_cache_keys": true, "cancel_gracefully": true, "refspecs": true,
}

// ask asks for a job. Its status is 201, 204, 403 or 409.
func (w works) ask(runner string) (status int, job given) {
	w.Helper()
	r := w.s.Do(w, "", "POST", "/jobs/request", map[string]any{
		"token": runner, "system_id": "s_1", "info": map[string]any{"version": "16.9.0", "features": features},
	})
	if r.Status == http.StatusCreated {
		r.Into(w, &job)
	}
	return r.Status, job
}

// take asks for a job that there is.
func (w works) take() given {
	w.Helper()
	status, job := w.ask(w.runner)
	require.Equal(w, http.StatusCreated, status)
	return job
}

// send sends a request of a job and returns the answer, its body read.
func (w works) send(method, path, token, contentType string, header map[string]string, body io.Reader) *http.Response {
	w.Helper()
	r, err := http.NewRequestWithContext(w.Context(), method, w.s.URL+path, body)
	require.NoError(w, err)
	r.Header.Set("JOB-TOKEN", token)
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(r)
	require.NoError(w, err)
	text, err := io.ReadAll(resp.Body)
	require.NoError(w, err)
	require.NoError(w, resp.Body.Close())
	resp.Body = io.NopCloser(bytes.NewReader(text))
	return resp
}

// trace appends to the trace of a job.
func (w works) trace(job given, start int, text string) *http.Response {
	w.Helper()
	return w.send("PATCH", fmt.Sprintf("/jobs/%d/trace?debug_trace=false", job.ID), job.Token, "text/plain",
		map[string]string{"Content-Range": fmt.Sprintf("%d-%d", start, start+len(text)-1)}, strings.NewReader(text))
}

// put reports the end of a job.
func (w works) put(job given, fields map[string]any) *http.Response {
	w.Helper()
	fields["token"] = job.Token
	text, err := json.Marshal(fields)
	require.NoError(w, err)
	return w.send("PUT", fmt.Sprintf("/jobs/%d", job.ID), "", "application/json", nil, bytes.NewReader(text))
}

// sumOf is what a runner says of the trace that it has sent.
func sumOf(text string) map[string]any {
	return map[string]any{
		"checksum": fmt.Sprintf("crc32:%08x", crc32.ChecksumIEEE([]byte(text))), "bytesize": len(text),
	}
}

// upload sends an artifact.
func (w works) upload(job given, query, name string, content []byte) *http.Response {
	w.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", name)
	require.NoError(w, err)
	_, err = part.Write(content)
	require.NoError(w, err)
	require.NoError(w, form.Close())
	return w.send("POST", fmt.Sprintf("/jobs/%d/artifacts?%s", job.ID, query), job.Token, form.FormDataContentType(),
		nil, &body)
}

// zipOf returns a zip of files.
func zipOf(t testing.TB, files map[string]string) []byte {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, text := range files {
		f, err := z.Create(name)
		require.NoError(t, err)
		_, err = f.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return out.Bytes()
}
