package api_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// runnerVar names the program of a stock runner, for make clients.
const runnerVar = "GITLAB_RUNNER"

// stockDefinition has a job for each thing that a runner and the server must agree on. The shell
// executor has no containers: it ignores image and services.
const stockDefinition = `
stages: [build, test, last]
image: alpine:3
variables:
  GREETING: "hello from $CI_PROJECT_NAME"
  LETTER: {value: "sealed", expand: false}

build:
  stage: build
  services: [postgres:15]
  cache: {key: tools, paths: [tools/]}
  script:
    - mkdir -p out tools && echo "$GREETING" > out/greeting && date > tools/made
    - echo "VERSION=1.2.3" > build.env
    - printf '<testsuite name="unit" tests="1"><testcase classname="a" name="b" time="0.1"/></testsuite>' > junit.xml
    - test "$(git rev-parse HEAD)" = "$CI_COMMIT_SHA"
    - echo "the secret is $SECRET" && echo "Coverage is 81.5%"
  after_script: ['echo "ended as $CI_JOB_STATUS"']
  coverage: '/Coverage is \d+\.\d+%/'
  artifacts:
    paths: [out/]
    exclude: [out/*.tmp]
    expire_in: 1 day
    reports: {dotenv: build.env, junit: junit.xml}

test:
  stage: test
  needs: [build]
  cache: {key: tools, paths: [tools/], policy: pull}
  parallel: 2
  script:
    - grep -q "hello from site" out/greeting
    - test "$VERSION" = 1.2.3 && test "$CI_NODE_TOTAL" = 2 && test -s tools/made
    - test "$(cat "$NOTE")" = "a file" && test "$GIVEN" = "by the pipeline"

plain:
  stage: test
  variables: {GIT_STRATEGY: none}
  dependencies: []
  script: [test ! -e out/greeting]

flaky:
  stage: test
  needs: []
  retry: 2
  script: ['mkdir "$MARKS/$CI_PIPELINE_ID-tried" || exit 0; exit 1']

lenient:
  stage: test
  allow_failure: {exit_codes: [42]}
  script: [exit 42]

last:
  stage: last
  script: [echo over]
`

// slowDefinition has a job that waits to be canceled.
const slowDefinition = `
slow:
  script: ['echo begun', 'sleep 300', 'echo never']
`

// stock is a stock runner that works for a project.
type stock struct {
	yard
	project string // its path in the API
	log     bytes.Buffer
}

// newStock starts the runner. It ends with the test.
func newStock(t *testing.T) *stock {
	program := os.Getenv(runnerVar)
	if program == "" {
		t.Skip(runnerVar + " does not name the program of a stock runner")
	}
	s := &stock{yard: newYard(t)}
	s.project = s.yard.project("site", nil)
	dir := t.TempDir()
	var made struct{ Token string }
	s.ok("POST", "/user/runners", map[string]any{
		"runner_type": "project_type", "project_id": strings.TrimPrefix(s.project, "/projects/"),
	}).Into(t, &made)
	for key, fields := range map[string]map[string]any{
		"SECRET": {"value": "0123456789abcdef", "masked": true}, "NOTE": {"value": "a file", "variable_type": "file"},
		"MARKS": {"value": dir},
	} {
		fields["key"] = key
		s.ok("POST", s.project+"/variables", fields)
	}
	config := filepath.Join(dir, "config.toml")
	require.NoError(t, os.WriteFile(config, fmt.Appendf(nil, `
concurrent = 4
check_interval = 1
[[runners]]
  name = "stock"
  url = %q
  token = %q
  executor = "shell"
  shell = "bash"
  builds_dir = %q
  cache_dir = %q
`, s.Server.Server.URL(), made.Token, dir+"/builds", dir+"/cache"), 0o600))
	cmd := exec.CommandContext(t.Context(), program, "run", "--config", config, "--working-directory", dir)
	cmd.Env = append(os.Environ(), "HOME="+dir)
	cmd.Stdout, cmd.Stderr = &s.log, &s.log
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGQUIT) } // it ends its jobs first
	cmd.WaitDelay = 20 * time.Second
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Wait() // the signal is its error
		if t.Failed() {
			t.Logf("the runner said:\n%s", &s.log)
		}
	})
	return s
}

// run creates a pipeline of a definition and returns its path.
func (s *stock) run(definition string) string {
	s.t.Helper()
	s.commit(s.project, "main", "Add the definition [ci skip]", map[string]string{".gitlab-ci.yml": definition})
	var made struct{ ID int64 }
	s.ok("POST", s.project+"/pipeline", map[string]any{
		"ref": "main", "variables": []map[string]string{{"key": "GIVEN", "value": "by the pipeline"}},
	}).Into(s.t, &made)
	return fmt.Sprintf("%s/pipelines/%d", s.project, made.ID)
}

// becomes waits until something has a state.
func (s *stock) becomes(path, want string) {
	s.t.Helper()
	var now struct{ Status string }
	require.Eventually(s.t, func() bool {
		s.ok("GET", path, nil).Into(s.t, &now)
		return now.Status == want
	}, 3*time.Minute, 200*time.Millisecond, "%s never is %s", path, want)
}

// ranJobs returns the jobs of a pipeline by name, with those that were tried again.
func (s *stock) ranJobs(pipeline string) map[string][]shownJob {
	var list []shownJob
	s.ok("GET", pipeline+"/jobs?include_retried=true&per_page=100", nil).Into(s.t, &list)
	by := map[string][]shownJob{}
	for _, j := range list {
		by[j.Name] = append(by[j.Name], j)
	}
	return by
}

// A stock runner runs a pipeline: variables, cache, artifacts, needs, reports, retries, exit codes.
func TestStockRunner(t *testing.T) {
	s := newStock(t)
	pipeline := s.run(stockDefinition)
	s.becomes(pipeline, "success")
	jobs := s.ranJobs(pipeline)
	require.Len(t, jobs["flaky"], 2, "it failed once")
	require.Equal(t, "failed", jobs["lenient"][0].Status)
	for _, name := range []string{"test 1/2", "test 2/2", "plain", "last"} {
		require.Len(t, jobs[name], 1, name)
	}
	build := fmt.Sprintf("%s/jobs/%d", s.project, jobs["build"][0].ID)
	trace := string(s.ok("GET", build+"/trace", nil).Body)
	require.Contains(t, trace, "the secret is [MASKED]")
	require.Contains(t, trace, "ended as success")
	require.Contains(t, trace, "Job succeeded")
	require.Equal(t, "hello from site\n", string(s.ok("GET", build+"/artifacts/out/greeting", nil).Body))
	var shown map[string]any
	s.ok("GET", build, nil).Into(t, &shown)
	require.InDelta(t, 81.5, shown["coverage"], 0.001)
	var report struct {
		TotalCount int `json:"total_count"`
	}
	s.ok("GET", pipeline+"/test_report", nil).Into(t, &report)
	require.Equal(t, 1, report.TotalCount)
	var managers []map[string]any
	s.ok("GET", fmt.Sprintf("/runners/%v/managers", shown["runner"].(map[string]any)["id"]), nil).Into(t, &managers)
	require.NotEmpty(t, managers[0]["version"])
	require.Equal(t, "online", managers[0]["status"])
}

// A job that is canceled ends at its runner, and its trace says so.
func TestStockRunnerCancels(t *testing.T) {
	s := newStock(t)
	pipeline := s.run(slowDefinition)
	s.becomes(pipeline, "running")
	job := fmt.Sprintf("%s/jobs/%d", s.project, s.ranJobs(pipeline)["slow"][0].ID)
	require.Eventually(t, func() bool {
		r := s.Do(t, s.by.Token, http.MethodGet, job+"/trace", nil)
		return strings.Contains(string(r.Body), "begun")
	}, 2*time.Minute, 200*time.Millisecond)
	s.ok("POST", job+"/cancel", nil)
	s.becomes(pipeline, "canceled")
	require.NotContains(t, string(s.ok("GET", job+"/trace", nil).Body), "never")
	s.ok("POST", job+"/retry", nil)
	s.becomes(pipeline, "running")
	s.ok("POST", pipeline+"/cancel", nil)
	s.becomes(pipeline, "canceled")
}
