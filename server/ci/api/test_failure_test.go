package api_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// A test report says how often its failed tests failed lately in the default branch; other branches
// do not count.
func TestRecentFailures(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{
		".gitlab-ci.yml": "a: {script: a, artifacts: {reports: {junit: out.xml}}}",
	})
	w := y.at(p)
	run := func(cases string) map[string]string {
		t.Helper()
		y.Drain(t)
		job := w.take()
		require.Equal(t, 201, w.upload(job, "artifact_type=junit&artifact_format=gzip", "junit.xml.gz",
			packed(t, "<testsuite>"+cases+"</testsuite>")).StatusCode)
		ended := w.put(job, map[string]any{"state": "failed", "failure_reason": "script_failure"})
		require.Equal(t, 200, ended.StatusCode)
		y.Drain(t)
		var report struct {
			Suites []struct {
				Cases []struct {
					Name   string
					Recent *struct {
						Count  int
						Branch string `json:"base_branch"`
					} `json:"recent_failures"`
				} `json:"test_cases"`
			} `json:"test_suites"`
		}
		y.ok("GET", fmt.Sprintf("%s/pipelines/%d/test_report", p, w.pipelineOf(job).ID), nil).Into(t, &report)
		require.Len(t, report.Suites, 1)
		found := map[string]string{}
		for _, c := range report.Suites[0].Cases {
			if c.Recent != nil {
				found[c.Name] = fmt.Sprint(c.Recent.Count, " in ", c.Recent.Branch)
			}
		}
		return found
	}
	const fails = `<testcase name="f" classname="c"><failure/></testcase>`
	const breaks = `<testcase name="e" classname="c"><error/></testcase>`
	const passes = `<testcase name="e" classname="c"/>`
	require.Equal(t, map[string]string{"f": "1 in main", "e": "1 in main"}, run(fails+breaks))
	y.ok("POST", p+"/pipeline", map[string]any{"ref": "main"})
	require.Equal(t, map[string]string{"f": "2 in main"}, run(fails+passes))
	y.commit(p, "topic", "Change", map[string]string{"x": "1"})
	require.Equal(t, map[string]string{"f": "2 in main", "e": "1 in main"}, run(fails+breaks))
}
