package api_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/git/gittest"
	"hew/server/servertest"
)

// The token of a job reads its project and those that let it in, as its user may, and nothing once
// the job is over.
func TestJobToken(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	w := newWorks(t, s)
	p := w.pipeline(script("a", 1))
	job := w.take()
	commit := fmt.Sprintf("/projects/%d/repository/commits/main", w.project.ID)
	get := func(path string) int { return w.send("GET", path, job.Token, "", nil, nil).StatusCode }
	require.Equal(t, 200, get(commit))
	require.Equal(t, 200, s.Do(t, "", "GET", commit+"?job_token="+job.Token, nil).Status)
	require.Equal(t, 200, get(fmt.Sprintf("/projects/%d/releases", w.project.ID)))
	require.Equal(t, 401, get(fmt.Sprintf("/projects/%d/repository/commits", w.project.ID)), "a route that takes none")
	require.Equal(t, 401, get("/user"))
	artifacts := zipOf(t, map[string]string{"a.txt": "of a"})
	require.Equal(t, 201, w.upload(job, "artifact_type=archive", "a.zip", artifacts).StatusCode)
	here := fmt.Sprintf("/projects/%d", w.project.ID)
	for path, want := range map[string]int{
		fmt.Sprintf("/jobs/%d/artifacts", job.ID): 200, fmt.Sprintf("/jobs/%d/artifacts/a.txt", job.ID): 200,
		"/jobs/artifacts/main/raw/a.txt?job=a": 404, "/jobs/artifacts/main/download?job=a": 404, // no pipeline is over
		"/jobs": 200, fmt.Sprintf("/pipelines/%d/jobs", p.ID): 200, "/environments": 200,
		fmt.Sprintf("/jobs/%d", job.ID): 401, fmt.Sprintf("/jobs/%d/trace", job.ID): 401, "/pipelines": 401,
	} {
		require.Equal(t, want, get(here+path), path)
	}
	metadata := fmt.Sprintf("%s/pipelines/%d/metadata", here, p.ID)
	renamed := w.send("PUT", metadata, job.Token, "application/json", nil, strings.NewReader(`{"name":"Named"}`))
	require.Equal(t, 200, renamed.StatusCode)
	require.Equal(t, 200, get("/job"))
	require.Equal(t, 404, s.Do(t, w.owner.Token, "GET", "/job", nil).Status)

	var other servertest.Made
	s.Do(t, w.owner.Token, "POST", "/projects", map[string]any{"name": "other"}).Into(t, &other)
	s.Do(t, w.owner.Token, "POST", fmt.Sprintf("/projects/%d/repository/commits", other.ID), map[string]any{
		"branch": "main", "commit_message": "Begin",
		"actions": []map[string]any{{"action": "create", "file_path": "a", "content": "text\n"}},
	})
	there := fmt.Sprintf("/projects/%d/repository/commits/main", other.ID)
	require.Equal(t, 404, get(there), "it does not let the project in")
	at := strings.Replace(job.GitInfo.RepoURL, w.project.Path, other.Path, 1)
	c := gittest.ClientIn(t, filepath.Join(t.TempDir(), "clone"))
	outside := gittest.ClientIn(t, ".")
	outside.Refused("clone", "-q", at, c.Dir+"-no")
	doors := fmt.Sprintf("/projects/%d/job_token_scope", other.ID)
	open := func(enabled bool) {
		r := s.Do(t, w.owner.Token, "PATCH", doors, map[string]any{"enabled": enabled})
		require.Equal(t, 204, r.Status, "%s", r.Body)
	}
	open(false)
	require.Equal(t, 200, get(there), "it lets all in")
	open(true)
	require.Equal(t, 404, get(there))
	r := s.Do(t, w.owner.Token, "POST", doors+"/allowlist", map[string]any{"target_project_id": w.project.ID})
	require.Equal(t, 201, r.Status, "%s", r.Body)
	require.Equal(t, 200, get(there))
	outside.Git("clone", "-q", at, c.Dir)
	c.Commit("b", "2")
	require.Contains(t, c.Refused("push", "origin", "main"), "A job token cannot push here.")

	require.Equal(t, 200, w.put(job, map[string]any{"state": "success"}).StatusCode)
	require.Equal(t, 401, get(commit), "the job is over")
	c.Refused("fetch", "origin")
	require.Equal(t, 403, get(fmt.Sprintf("/jobs/%d/artifacts", job.ID)))
}

// What a runner sends that is not what it should be is refused, and nothing of it is kept.
func TestBadArtifacts(t *testing.T) {
	t.Parallel()
	w := newWorks(t, servertest.Start(t))
	w.s.Do(t, w.s.RootToken, "PUT", fmt.Sprintf("/projects/%d", w.project.ID), map[string]any{"max_artifacts_size": 1})
	w.pipeline(script("a", 1))
	job := w.take()
	files := zipOf(t, map[string]string{"a": "a"})
	const dotenv = "artifact_type=dotenv&artifact_format=gzip"
	for name, tt := range map[string]struct {
		status      int
		query, name string
		content     []byte
	}{
		"no zip":            {422, "artifact_type=archive", "a.zip", []byte("no zip")},
		"a zip cut short":   {422, "artifact_type=archive", "a.zip", files[:len(files)-8]},
		"too large":         {413, "artifact_type=metrics&artifact_format=raw", "a", make([]byte, 2<<20)},
		"no such format":    {400, "artifact_type=metrics&artifact_format=rar", "a", files},
		"no such type":      {400, "artifact_type=../x&artifact_format=raw", "a", files},
		"no such expiry":    {400, "artifact_type=archive&expire_in=soon", "a", files},
		"a bad dotenv":      {400, dotenv, ".env.gz", zipped(t, "no assignment")},
		"a large dotenv":    {400, dotenv, ".env.gz", zipped(t, "A="+strings.Repeat("x", 6000))},
		"a long dotenv":     {400, dotenv, ".env.gz", zipped(t, many("A", 21))},
		"a dotenv, no gzip": {422, dotenv, ".env.gz", []byte("A=1")},
	} {
		require.Equal(t, tt.status, w.upload(job, tt.query, tt.name, tt.content).StatusCode, name)
	}
	require.Equal(t, http.StatusRequestEntityTooLarge, w.send("POST",
		fmt.Sprintf("/jobs/%d/artifacts/authorize?filesize=%d", job.ID, 2<<20), job.Token, "", nil, nil).StatusCode)
	require.Equal(t, 200, w.send("POST",
		fmt.Sprintf("/jobs/%d/artifacts/authorize?filesize=%d", job.ID, 1<<20), job.Token, "", nil, nil).StatusCode)
	kept, err := ci.ArtifactsOf(t.Context(), w.s.Store, job.ID)
	require.NoError(t, err)
	require.Empty(t, kept)
	stranger := given{ID: job.ID, Token: "glcbt-wrong"}
	require.Equal(t, 403, w.upload(stranger, "artifact_type=archive", "a.zip", files).StatusCode)
}

// many returns n assignments.
func many(prefix string, n int) (text string) {
	for i := range n {
		text += fmt.Sprintf("%s_%d=1\n", prefix, i)
	}
	return text
}
