package testacc

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// hosted is a project on hewd whose jobs a shellRunner runs.
type hosted struct {
	*testing.T
	server *servertest.Server
	path   string // of the project in the API
	runner *shellRunner
}

// newHosted makes a project with a pipeline definition, whose first pipeline waits for a runner.
func newHosted(t *testing.T, name, definition string) *hosted {
	t.Helper()
	h := &hosted{T: t, server: servertest.Start(t)}
	h.path = "/projects/" + h.ok("POST", "/projects", map[string]any{"name": name})["id"].(json.Number).String()
	for _, v := range []map[string]any{
		{"key": "SECRET", "value": "hidden-from-all", "masked": true},
		{"key": "SETTINGS", "value": "from a file: $CI", "variable_type": "file"},
		{"key": "LITERAL", "value": "$CI", "raw": true},
	} {
		h.ok("POST", h.path+"/variables", v)
	}
	h.ok("POST", h.path+"/repository/commits", map[string]any{
		"branch": "main", "commit_message": "Define a pipeline",
		"actions": []map[string]any{{"action": "create", "file_path": ".gitlab-ci.yml", "content": definition}},
	})
	return h
}

// runnerToken creates a runner of the project.
func (h *hosted) runnerToken() string {
	id := strings.TrimPrefix(h.path, "/projects/")
	made := h.ok("POST", "/user/runners", map[string]any{"runner_type": "project_type", "project_id": id})
	return made["token"].(string)
}

// ok sends a request that must succeed, and returns the object that answers it.
func (h *hosted) ok(method, path string, body any) (answer map[string]any) {
	h.Helper()
	reply := h.server.Do(h, h.server.RootToken, method, path, body)
	require.Equal(h, 2, reply.Status/100, "%s %s: %s", method, path, reply.Body)
	text := json.NewDecoder(strings.NewReader(string(reply.Body)))
	text.UseNumber()
	require.NoError(h, text.Decode(&answer), "%s", reply.Body)
	return answer
}

// job returns a job as the API shows it.
func (h *hosted) job(id int64) map[string]any {
	h.Helper()
	return h.ok("GET", fmt.Sprintf("%s/jobs/%d", h.path, id), nil)
}

// traceOf returns the trace of a job as the API shows it.
func (h *hosted) traceOf(id int64) string {
	h.Helper()
	reply := h.server.Do(h, h.server.RootToken, "GET", fmt.Sprintf("%s/jobs/%d/trace", h.path, id), nil)
	require.Equal(h, 200, reply.Status)
	return string(reply.Body)
}

// TestShellRunner has the runner do all that a job can ask for.
func TestShellRunner(t *testing.T) {
	t.Parallel()
	h := newHosted(t, "shell-runner", `
stages: [build, test]
make:
  stage: build
  variables: {EXPANDED: "job of $CI_PROJECT_NAME in $CI_PROJECT_DIR"}
  before_script: ['echo "secret: $SECRET, token: $CI_JOB_TOKEN, file: $(cat "$SETTINGS"), literal: $LITERAL"']
  script:
    - echo "$EXPANDED"; test "$PWD" = "$CI_PROJECT_DIR"; test -z "$HEWD_PG_BIN$GOFLAGS"
    - |
      mkdir out
      echo made >out/a.txt
      echo left >out/b.tmp
      echo FROM_MAKE=dotenv >make.env
      echo '<testsuite><testcase name="one"/></testsuite>' >junit.xml
  after_script: ['echo "after $CI_JOB_STATUS"']
  artifacts:
    paths: [out/]
    exclude: ['**/*.tmp']
    reports: {dotenv: make.env, junit: junit.xml}
use:
  stage: test
  script:
    - ls out; cat out/a.txt; echo "$FROM_MAKE"
    - exit 3
    - echo never
  after_script: ['echo "after $CI_JOB_STATUS"']
  allow_failure: {exit_codes: 3}
`)
	h.runner = newShellRunner(t, h.server.URL, h.runnerToken(), 2)
	made := h.runner.next()
	require.Equal(t, outcome{}, made.outcome, made.log)
	require.Contains(t, made.log, "secret: [MASKED], token: [MASKED], file: from a file: true, literal: $CI\n")
	require.Contains(t, made.log, "job of shell-runner in "+h.runner.builds)
	require.Contains(t, made.log, "$ mkdir out # collapsed multi-line command\n")
	require.Contains(t, made.log, "after success\n")
	require.Equal(t, made.log, h.traceOf(made.ID))

	used := h.runner.next()
	require.Equal(t, outcome{"script_failure", 3}, used.outcome, used.log)
	require.Contains(t, used.log, "a.txt\nmade\ndotenv\n")
	require.Contains(t, used.log, "after failed\n")
	require.NotContains(t, used.log, "never\n")
	require.Equal(t, used.log, h.traceOf(used.ID))
	job := h.job(used.ID)
	require.Equal(t, "failed", job["status"])
	require.Equal(t, true, job["allow_failure"])
	pipeline := h.path + "/pipelines/" + job["pipeline"].(map[string]any)["id"].(json.Number).String()
	require.Equal(t, "success", h.ok("GET", pipeline, nil)["status"])
	require.Equal(t, json.Number("1"), h.ok("GET", pipeline+"/test_report", nil)["success_count"])
}

// TestShellRunnerTalks sends a trace in several parts, which the server has as it was sent.
func TestShellRunnerTalks(t *testing.T) {
	t.Parallel()
	h := newHosted(t, "long-trace", `talk: {script: [seq 400000]}`)
	h.runner = newShellRunner(t, h.server.URL, h.runnerToken(), 1)
	ended := h.runner.next()
	require.Equal(t, outcome{}, ended.outcome)
	require.Greater(t, len(ended.log), 2*mostPatch)
	require.True(t, ended.log == h.traceOf(ended.ID), "the server has another trace")
}

// TestShellRunnerRepeats has answers lost and requests refused between the runner and the server.
// The job ends as it would otherwise, with the trace and the artifacts once.
func TestShellRunnerRepeats(t *testing.T) {
	t.Parallel()
	h := newHosted(t, "runner-in-weather", `
make:
  script: [seq 300000 >numbers, cat numbers, exit 4]
  artifacts: {paths: [numbers], when: always}
`)
	proxy := newProxy(t, h.server)
	for _, words := range []string{
		"POST /jobs/request 502 times=1", "PATCH /jobs/*/trace lose times=2", "PATCH /jobs/*/trace 503 times=1",
		"POST /jobs/*/artifacts lose times=1", "POST /jobs/*/artifacts 503 times=1", "PUT /jobs/* lose times=3",
	} {
		f, err := newFault(strings.Fields(words))
		require.NoError(t, err)
		proxy.arm(f)
	}
	h.runner = newShellRunner(t, proxy.URL+prefix, h.runnerToken(), 1)
	ended := h.runner.next()
	require.Equal(t, outcome{"script_failure", 4}, ended.outcome)
	require.Equal(t, "failed", h.job(ended.ID)["status"])
	require.True(t, ended.log == h.traceOf(ended.ID), "the server has another trace")
	path := fmt.Sprintf("%s/jobs/%d/artifacts/numbers", h.path, ended.ID)
	numbers := h.server.Do(t, h.server.RootToken, "GET", path, nil)
	require.Equal(t, 200, numbers.Status)
	require.Contains(t, ended.log, string(numbers.Body))
	for _, f := range proxy.faults {
		require.Zero(t, f.left, "%s %s did not happen", f.method, f.path)
	}
}

// TestShellRunnerCancels has the server cancel a job, whose children end, and whose after_script
// runs. The runner registers with the token of the project.
func TestShellRunnerCancels(t *testing.T) {
	t.Parallel()
	h := newHosted(t, "canceled-job", `
wait:
  script: ['echo begun', 'sleep 600 & wait', 'echo never']
  after_script: ['echo "after $CI_JOB_STATUS"']
`)
	h.runner = newShellRunner(t, h.server.URL, h.ok("GET", h.path, nil)["runners_token"].(string), 1)
	id := int64(0)
	require.Eventually(t, func() bool {
		var jobs []struct{ ID int64 }
		h.server.Do(t, h.server.RootToken, "GET", h.path+"/jobs?scope=running", nil).Into(t, &jobs)
		if len(jobs) == 1 {
			id = jobs[0].ID
		}
		return id != 0 && strings.Contains(h.traceOf(id), "begun\n")
	}, 30*time.Second, 10*time.Millisecond)
	require.Equal(t, "canceling", h.ok("POST", fmt.Sprintf("%s/jobs/%d/cancel", h.path, id), nil)["status"])
	ended := h.runner.next()
	require.NotEmpty(t, ended.reason, ended.log)
	require.Contains(t, ended.log, "after canceled\n")
	require.NotContains(t, ended.log, "never\n")
	require.Equal(t, "canceled", h.job(id)["status"])
}
