package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci"
)

// A project knows how much its jobs keep.
func TestArtifactStatistics(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{".gitlab-ci.yml": "a: {script: x, artifacts: {paths: [a]}}"})
	size := func() (n int64) {
		var shown struct {
			Statistics struct {
				Artifacts int64 `json:"job_artifacts_size"`
				All       int64 `json:"storage_size"`
			}
		}
		y.ok("GET", p+"?statistics=true", nil).Into(t, &shown)
		require.GreaterOrEqual(t, shown.Statistics.All, shown.Statistics.Artifacts)
		return shown.Statistics.Artifacts
	}
	require.Zero(t, size())
	y.Drain(t)
	job := y.at(p).leaves(map[string]string{"a": strings.Repeat("a", 1000)})
	left, err := ci.ArtifactsOf(t.Context(), y.Store, job.ID)
	require.NoError(t, err)
	var sum int64
	for _, a := range left[job.ID] {
		sum += a.Size
	}
	require.NotZero(t, sum)
	require.Equal(t, sum, size())
	r := y.Do(t, y.by.Token, "DELETE", fmt.Sprintf("%s/jobs/%d/artifacts", p, job.ID), nil)
	require.Equal(t, 204, r.Status)
	require.Zero(t, size())
}

// What has expired is still to be had while its pipeline is the last of the ref that succeeded.
func TestLatestArtifactsAreKept(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{".gitlab-ci.yml": "a: {script: x, artifacts: {paths: [a]}}"})
	y.Drain(t)
	w := y.at(p)
	job := w.leaves(map[string]string{"a": "a"})
	require.NoError(t, y.Store.Exec(t.Context(), `update job_artifacts set expire_at = now() - interval '1 hour'`, nil))
	path := fmt.Sprintf("%s/jobs/%d/artifacts", p, job.ID)
	require.Equal(t, 200, y.Do(t, y.by.Token, "GET", path, nil).Status)
	require.Equal(t, 200, y.Do(t, y.by.Token, "GET", p+"/jobs/artifacts/main/raw/a?job=a", nil).Status)
	y.ok("POST", p+"/pipeline", map[string]any{"ref": "main"})
	w.leaves(map[string]string{"a": "b"})
	require.Equal(t, 404, y.Do(t, y.by.Token, "GET", path, nil).Status)
}
