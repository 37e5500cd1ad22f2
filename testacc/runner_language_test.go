package testacc

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPipelineLanguage runs a pipeline that has what pipelines are made of: a matrix, needs,
// retries, a pipeline that another makes, a deployment, a stopped environment, a job that takes too
// long, and one that asks for things with its own token.
func TestPipelineLanguage(t *testing.T) {
	t.Parallel()
	h := newHosted(t, "language", `
stages: [build, test, deploy]
matrix:
  stage: build
  parallel: {matrix: [{OS: [l, m], V: ["1", "2"]}]}
  script: [mkdir out, 'echo $CI_NODE_INDEX of $CI_NODE_TOTAL >out/$OS$V']
  artifacts: {paths: [out]}
generate:
  stage: build
  script:
    - |
      cat >child.yml <<-END
      first: {script: ['echo "\$PASSED by \$CI_PIPELINE_SOURCE"']}
      second: {needs: [first], script: ['true']}
      END
  artifacts: {paths: [child.yml]}
flaky:
  stage: build
  retry: {max: 1, when: script_failure}
  script: ['test "$CI_JOB_ID" != "$(curl -sSf -H "JOB-TOKEN: $CI_JOB_TOKEN"
    "$CI_API_V4_URL/projects/$CI_PROJECT_ID/pipelines/$CI_PIPELINE_ID/jobs?include_retried=true&per_page=100" |
    jq "[.[] | select(.name == \"flaky\").id] | min")"']
all: {stage: test, needs: [matrix], script: ['cat out/*']}
one:
  stage: test
  needs: [{job: matrix, parallel: {matrix: [{OS: l, V: "2"}]}}]
  script: ['cat out/*']
child:
  stage: test
  variables: {PASSED: forwarded}
  trigger: {include: [{artifact: child.yml, job: generate}], strategy: depend}
slow: {stage: test, timeout: 1 second, allow_failure: true, script: [sleep 600]}
deploy:
  stage: deploy
  dependencies: []
  script: ['ls; echo "$CI_ENVIRONMENT_SLUG at $CI_ENVIRONMENT_URL"']
  environment: {name: live, url: "https://$CI_PROJECT_NAME.example.com", on_stop: stop}
stop:
  stage: deploy
  when: manual
  dependencies: []
  variables: {GIT_STRATEGY: none}
  script: ['ls -A; echo "over $WHY"']
  environment: {name: live, action: stop}
never: {stage: deploy, when: on_failure, script: ['true']}
`)
	h.runner = newShellRunner(t, h.server.URL, h.runnerToken(), 3)
	ended := map[string][]endedJob{}
	for range 13 {
		j := h.runner.next()
		ended[j.JobInfo.Name] = append(ended[j.JobInfo.Name], j)
	}
	for name, codes := range map[string][]int{
		"matrix: [l, 1]": {0}, "matrix: [l, 2]": {0}, "matrix: [m, 1]": {0}, "matrix: [m, 2]": {0}, "generate": {0},
		"flaky": {1, 0}, "all": {0}, "one": {0}, "first": {0}, "second": {0}, "deploy": {0},
	} {
		var got []int
		for _, j := range ended[name] {
			got = append(got, j.code)
		}
		require.Equal(t, codes, got, name)
	}
	require.Equal(t, "job_execution_timeout", ended["slow"][0].reason)
	require.Contains(t, ended["all"][0].log, "1 of 4\n2 of 4\n3 of 4\n4 of 4\n")
	require.Contains(t, ended["one"][0].log, "$ cat out/*\n2 of 4\n")
	require.Contains(t, ended["first"][0].log, "forwarded by parent_pipeline\n")
	require.Contains(t, ended["deploy"][0].log, "\nlive at https://language.example.com\n")
	require.NotContains(t, ended["deploy"][0].log, "child.yml")

	var jobs []struct {
		ID           int64
		Name, Status string
		Pipeline     struct {
			ID     int64
			Source string
		}
	}
	h.server.Do(t, h.server.RootToken, "GET", h.path+"/jobs", nil).Into(t, &jobs)
	status, pipeline, stop := map[string]string{}, int64(0), int64(0)
	for _, j := range jobs {
		status[j.Name] = j.Status
		if j.Name == "stop" {
			pipeline, stop = j.Pipeline.ID, j.ID
		}
	}
	require.Equal(t, "skipped", status["never"])
	require.Equal(t, "manual", status["stop"])
	require.Equal(t, "success", h.ok("GET", fmt.Sprintf("%s/pipelines/%d", h.path, pipeline), nil)["status"])

	h.ok("POST", fmt.Sprintf("%s/jobs/%d/play", h.path, stop), map[string]any{
		"job_variables_attributes": []map[string]string{{"key": "WHY", "value": "at last"}},
	})
	require.Contains(t, h.runner.next().log, "$ ls -A; echo \"over $WHY\"\nover at last\n")
	var environments []struct{ Name, State string }
	h.server.Do(t, h.server.RootToken, "GET", h.path+"/environments", nil).Into(t, &environments)
	require.Len(t, environments, 1)
	require.Equal(t, "stopped", environments[0].State)
}
