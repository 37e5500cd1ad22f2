package api_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/servertest"
)

// at returns the jobs of a project of the yard, for a runner of its own.
func (y yard) at(project string) works {
	y.t.Helper()
	w := works{T: y.t, s: y.Server, owner: y.by}
	y.ok("GET", project, nil).Into(y.t, &w.project)
	w.runner = w.newRunner(nil)
	return w
}

// leaves runs the next job of the project, which leaves an archive behind.
func (w works) leaves(files map[string]string) given {
	w.Helper()
	job := w.take()
	sent := w.upload(job, "artifact_type=archive&artifact_format=zip", "a.zip", zipOf(w, files))
	require.Equal(w, 201, sent.StatusCode)
	require.Equal(w, 200, w.put(job, map[string]any{"state": "success"}).StatusCode)
	w.s.Drain(w.T)
	return job
}

// A job gets artifacts of another project if that lets its token in, and fails without them.
func TestCrossProjectArtifacts(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	other := y.project("other", map[string]string{".gitlab-ci.yml": "make: {script: m, artifacts: {paths: [out]}}"})
	y.Drain(t)
	made := y.at(other).leaves(map[string]string{"out": "text"})
	p := y.project("site", map[string]string{".gitlab-ci.yml": `
use: {script: u, needs: [{project: alice/other, job: make, ref: $WHERE, artifacts: true}], variables: {WHERE: main}}
none: {script: n, needs: [{project: alice/other, job: gone, ref: main, artifacts: true}]}
`})
	w := y.at(p)
	y.Drain(t)
	status, _ := w.ask(w.runner)
	require.Equal(t, 204, status, "the other project lets no job in")
	require.Equal(t, "failed(use failed missing_dependency_failure, none failed missing_dependency_failure)", y.states(p))

	y.ok("POST", other+"/job_token_scope/allowlist", map[string]any{"target_project_id": w.project.ID})
	y.ok("POST", p+"/pipeline", map[string]any{"ref": "main"})
	job := w.take()
	require.Equal(t, "use", job.JobInfo.Name)
	require.Len(t, job.Dependencies, 1)
	require.Equal(t, made.ID, job.Dependencies[0].ID)
	require.Equal(t, "a.zip", job.Dependencies[0].ArtifactsFile.Filename)
	fetch := func() (int, []byte) {
		r := w.send("GET", fmt.Sprintf("/jobs/%d/artifacts", made.ID), job.Dependencies[0].Token, "", nil, nil)
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		return r.StatusCode, body
	}
	code, body := fetch()
	require.Equal(t, 200, code)
	require.Equal(t, zipOf(t, map[string]string{"out": "text"}), body)
	y.ok("DELETE", fmt.Sprintf("%s/job_token_scope/allowlist/%d", other, w.project.ID), nil)
	code, _ = fetch()
	require.Equal(t, 404, code, "the other project does not let the job in any more")
}

// A child pipeline gets artifacts of its parent, and no other pipeline does.
func TestParentArtifacts(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	const use = "use: {script: u, needs: [{pipeline: $ABOVE, job: make}]}"
	p := y.project("site", map[string]string{
		".gitlab-ci.yml": `
stages: [a, b]
make: {stage: a, script: m, artifacts: {paths: [out]}}
go: {stage: b, variables: {ABOVE: $CI_PIPELINE_ID}, trigger: {include: child.yml}}
`, "child.yml": use,
	})
	w := y.at(p)
	y.Drain(t)
	made := w.leaves(map[string]string{"out": "text"})
	job := w.take()
	require.Equal(t, "use", job.JobInfo.Name)
	require.Len(t, job.Dependencies, 1)
	require.Equal(t, made.ID, job.Dependencies[0].ID)

	y.commit(p, "main", "Use another", map[string]string{".gitlab-ci.yml": use})
	y.Drain(t)
	y.ok("POST", p+"/pipeline", map[string]any{"ref": "main", "variables": []map[string]any{
		{"key": "ABOVE", "value": fmt.Sprint(w.pipelineOf(made).ID)},
	}})
	status, _ := w.ask(w.runner)
	require.Equal(t, 204, status, "its pipelines have no parent in common with that one")
}

// pipelineOf returns the pipeline of a job.
func (w works) pipelineOf(job given) ci.Pipeline {
	w.Helper()
	j, err := ci.FindJob(w.Context(), w.s.Store, job.ID)
	require.NoError(w, err)
	p, err := ci.FindPipeline(w.Context(), w.s.Store, j.PipelineID)
	require.NoError(w, err)
	return p
}

// A job starts a pipeline of another project with its own token, if that project lets it in.
func TestTriggerByJobToken(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	other := y.project("other", map[string]string{".gitlab-ci.yml": `
run: {script: r, rules: [{if: '$CI_PIPELINE_SOURCE == "pipeline" && $WITH == "a"'}]}`})
	p := y.project("site", map[string]string{".gitlab-ci.yml": "go: {script: g}"})
	w := y.at(p)
	y.Drain(t)
	job := w.take()
	start := func() servertest.Reply {
		return y.Do(t, "", "POST", other+"/trigger/pipeline", map[string]any{
			"token": job.Token, "ref": "main", "variables": map[string]string{"WITH": "a"},
		})
	}
	require.Equal(t, 404, start().Status, "the other project lets no job in")
	y.ok("POST", other+"/job_token_scope/allowlist", map[string]any{"target_project_id": w.project.ID})
	r := start()
	require.Equal(t, 201, r.Status, "%s", r.Body)
	require.Equal(t, []string{"pipeline main pending: run"}, y.pipelines(other))

	bob := y.User(t, "bob")
	y.ok("POST", p+"/members", map[string]any{"user_id": bob.ID, "access_level": 40})
	y.ok("POST", other+"/members", map[string]any{"user_id": bob.ID, "access_level": 20})
	require.Equal(t, 201, y.Do(t, bob.Token, "POST", p+"/pipeline", map[string]any{"ref": "main"}).Status)
	job = w.take()
	require.Equal(t, 400, start().Status, "a reporter starts no pipelines")
	require.Equal(t, 200, w.put(job, map[string]any{"state": "success"}).StatusCode)
	require.Equal(t, 404, start().Status, "the job is over")
}

// What a webhook sends is a variable of the pipeline that it starts, without the token.
func TestTriggerPayload(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{".gitlab-ci.yml": "run: {script: r}"})
	y.Drain(t)
	var trigger struct{ Token string }
	y.ok("POST", p+"/triggers", map[string]any{"description": "hook"}).Into(t, &trigger)
	var made struct{ ID int64 }
	r := y.Do(t, "", "POST", p+"/ref/main/trigger/pipeline?token="+trigger.Token, map[string]any{
		"object_kind": "push", "commits": []map[string]any{{"id": "1"}},
	})
	require.Equal(t, 201, r.Status, "%s", r.Body)
	r.Into(t, &made)
	var list []struct {
		Key, Value string
		Type       string `json:"variable_type"`
	}
	y.ok("GET", fmt.Sprintf("%s/pipelines/%d/variables", p, made.ID), nil).Into(t, &list)
	require.Len(t, list, 1)
	require.Equal(t, "TRIGGER_PAYLOAD", list[0].Key)
	require.Equal(t, "file", list[0].Type)
	require.JSONEq(t, `{"object_kind": "push", "commits": [{"id": "1"}]}`, list[0].Value)
}
