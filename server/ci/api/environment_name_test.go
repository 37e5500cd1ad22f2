package api_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Variables in what a job says of its environment are replaced: in the time after which it stops,
// and in the name, which has to be one then.
func TestEnvironmentVariables(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{".gitlab-ci.yml": `
variables: {TIME: 1 day, BRANCH: a#b}
deploy: {script: x, environment: {name: live, auto_stop_in: $TIME}}
odd: {script: x, retry: 2, environment: {name: review/$BRANCH}}
`})
	y.Drain(t)
	w := y.at(p)
	job := w.take()
	require.Equal(t, "deploy", job.JobInfo.Name)
	require.Equal(t, 200, w.put(job, map[string]any{"state": "success"}).StatusCode)
	status, _ := w.ask(w.runner)
	require.Equal(t, 204, status)
	var list []struct {
		Name   string
		StopAt *time.Time `json:"auto_stop_at"`
	}
	y.ok("GET", p+"/environments", nil).Into(t, &list)
	require.Len(t, list, 1)
	require.WithinDuration(t, time.Now().Add(24*time.Hour), *list[0].StopAt, time.Hour)

	var jobs []struct {
		Name   string
		Status string
		Reason string `json:"failure_reason"`
	}
	y.ok("GET", p+"/jobs?scope[]=failed", nil).Into(t, &jobs)
	require.Len(t, jobs, 1, "another try would fail as well")
	require.Equal(t, "environment_creation_failure", jobs[0].Reason)
	require.Contains(t, y.states(p), "odd")

	var deployed []struct {
		Deployable struct {
			ID     int64
			Name   string
			Status string
		}
	}
	y.ok("GET", p+"/deployments", nil).Into(t, &deployed)
	require.Len(t, deployed, 1)
	require.Equal(t, job.ID, deployed[0].Deployable.ID)
	require.Equal(t, "deploy success", deployed[0].Deployable.Name+" "+deployed[0].Deployable.Status)
}
