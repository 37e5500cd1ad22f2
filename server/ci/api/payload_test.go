package api_test

import (
	"crypto/sha1"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/ci/definition"
	"hew/server/ci/expression"
	"hew/server/git/object"
	"hew/server/servertest"
)

// part returns a part of the next job's payload, as the runner gets it.
func (w works) part(names ...string) map[string]string {
	w.Helper()
	r := w.s.Do(w, "", "POST", "/jobs/request", map[string]any{
		"token": w.runner, "system_id": "s_1", "info": map[string]any{"features": features},
	})
	require.Equal(w, http.StatusCreated, r.Status, "%s", r.Body)
	var all map[string]json.RawMessage
	r.Into(w, &all)
	parts := map[string]string{}
	for _, name := range names {
		parts[name] = string(all[name])
	}
	return parts
}

// The steps, files and images of a job are in the shape and the order that runners expect (CI facts
// §4.2).
func TestPayload(t *testing.T) {
	t.Parallel()
	w := newWorks(t, servertest.Start(t))
	w.pipeline(script("full", 1, func(j *definition.Job) {
		o := &j.Options
		o.BeforeScript, o.Script, o.AfterScript = []string{"one"}, []string{"two"}, []string{"three"}
		o.Release = &definition.Release{TagName: "v$N", Description: `say "hi"`}
		o.Hooks = &definition.Hooks{PreGetSources: []string{"zero"}}
		o.Image = &definition.Image{Name: "alpine:3", PullPolicy: []string{"always"}}
		o.Services = []definition.Service{{Image: definition.Image{Name: "postgres:15"}, Alias: "db"}}
		o.Artifacts = &definition.Artifacts{
			Name: "n", Paths: []string{"out"}, Exclude: []string{"*.tmp"}, ExpireIn: "1 day",
			Reports: []definition.Report{
				{Kind: "junit", Type: "junit", Format: "gzip", Name: "junit.xml", Paths: []string{"j.xml"}},
			},
		}
		o.Cache = []definition.Cache{{
			Key: definition.CacheKey{FilesCommits: []string{"a.lock"}, Prefix: "p"}, Paths: []string{"c"}, When: "always",
			Policy: "$POLICY", FallbackKeys: []string{"f"}, Unprotect: true,
		}}
		j.Variables = []expression.Variable{{Key: "POLICY", Value: "pull"}}
	}))
	got := w.part("steps", "hooks", "image", "services", "artifacts", "cache")
	require.JSONEq(t, `[
		{"name":"script","script":["one","two"],"timeout":3600,"when":"on_success","allow_failure":false},
		{"name":"release","script":["release-cli create --description \"say \\\"hi\\\"\" --tag-name \"v$N\""],
		 "timeout":3600,"when":"on_success","allow_failure":false},
		{"name":"after_script","script":["three"],"timeout":3600,"when":"always","allow_failure":true}]`, got["steps"])
	require.JSONEq(t, `[{"name":"pre_get_sources_script","script":["zero"]}]`, got["hooks"])
	require.JSONEq(t, `{"name":"alpine:3","pull_policy":["always"]}`, got["image"])
	require.JSONEq(t, `[{"name":"postgres:15","alias":"db"}]`, got["services"])
	require.JSONEq(t, `[
		{"name":"n","untracked":false,"paths":["out"],"exclude":["*.tmp"],"when":"on_success","expire_in":"1 day",
		 "artifact_type":"archive","artifact_format":"zip"},
		{"name":"junit.xml","untracked":false,"paths":["j.xml"],"when":"always","expire_in":"1 day",
		 "artifact_type":"junit","artifact_format":"gzip"}]`, got["artifacts"])
	require.JSONEq(t, fmt.Sprintf(`[{"key":"p-%x-non_protected","untracked":false,"paths":["c"],"policy":"pull",
		"when":"always","fallback_keys":["f-non_protected"]}]`, sha1.Sum([]byte(w.commit))), got["cache"],
		"the key is that of the commit which changed the file last")
}

// What is fetched follows from the ref and from the depth (CI facts §4.2); the time from the job,
// and from the runner if it has less.
func TestPayloadOfGit(t *testing.T) {
	t.Parallel()
	w := newWorks(t, servertest.Start(t))
	w.runner = w.newRunner(map[string]any{"maximum_timeout": 1200})
	id, err := object.ParseID(w.commit)
	require.NoError(t, err)
	for _, tt := range []struct {
		ref, depth string
		tag        bool
		want       []string // beside the ref of the pipeline
		deep       int
		timeout    int64
		seconds    int
	}{
		{"main", "7", false, []string{"+refs/heads/main:refs/remotes/origin/main"}, 7, 900, 900},
		{"v1", "7", true, []string{"+refs/tags/v1:refs/tags/v1"}, 7, 0, 1200},
		{"refs/merge-requests/1/head", "7", false, nil, 7, 7200, 1200},
		{"main", "0", false, []string{"+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"}, 0, 0, 1200},
	} {
		p, err := ci.StorePipeline(t.Context(), w.s.Store, ci.Pipeline{
			ProjectID: w.project.ID, Source: ci.ByPush, Ref: tt.ref, Tag: tt.tag, Commit: id, UserID: &w.owner.ID,
		}, nil, []*definition.Job{script("a", 1, func(j *definition.Job) {
			j.Variables = []expression.Variable{{Key: "GIT_DEPTH", Value: tt.depth}}
			j.Options.Timeout = tt.timeout
		})})
		require.NoError(t, err)
		job := w.take()
		require.Equal(t, tt.deep, job.GitInfo.Depth)
		own := fmt.Sprintf("refs/pipelines/%d", p.ID)
		require.Equal(t, append([]string{"+" + own + ":" + own}, tt.want...), job.GitInfo.Refspecs)
		require.Equal(t, tt.seconds, job.RunnerInfo.Timeout)
	}
}

// A job that takes what its runner cannot do fails for that reason (CI facts §4.3).
func TestUnsupportedJob(t *testing.T) {
	t.Parallel()
	w := newWorks(t, servertest.Start(t))
	p := w.pipeline(script("a", 1, func(j *definition.Job) {
		j.Options.Artifacts = &definition.Artifacts{Paths: []string{"a"}, Exclude: []string{"b"}}
	}), script("b", 1))
	r := w.s.Do(t, "", "POST", "/jobs/request", map[string]any{
		"token": w.runner, "info": map[string]any{"features": map[string]bool{"refspecs": true}},
	})
	require.Equal(t, http.StatusCreated, r.Status)
	var list []struct {
		Name, Status string
		Reason       string `json:"failure_reason"`
	}
	w.s.Do(t, w.owner.Token, "GET", fmt.Sprintf("/projects/%d/pipelines/%d/jobs", w.project.ID, p.ID), nil).Into(t, &list)
	require.Equal(t, "b running", list[0].Name+" "+list[0].Status)
	require.Equal(t, "a failed runner_unsupported", list[1].Name+" "+list[1].Status+" "+list[1].Reason)
}

// A runner that has more to say of a job that was erased learns why nobody listens (CI facts §4.3).
func TestErasedJob(t *testing.T) {
	t.Parallel()
	w := newWorks(t, servertest.Start(t))
	w.pipeline(script("a", 1))
	job := w.take()
	require.Equal(t, http.StatusAccepted, w.trace(job, 0, "text").StatusCode)
	require.Equal(t, 200, w.put(job, map[string]any{"state": "success"}).StatusCode)
	require.Equal(t, 201, w.act(fmt.Sprintf("jobs/%d/erase", job.ID)))
	resp := w.trace(job, 4, "more")
	require.Equal(t, 403, resp.StatusCode)
	said, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Contains(t, string(said), "403 Forbidden - Job has been erased!")
}
