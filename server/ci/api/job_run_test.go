package api_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/ci/definition"
	"hew/server/ci/expression"
	"hew/server/ci/status"
	"hew/server/git/gittest"
	"hew/server/servertest"
)

func zipped(t testing.TB, text string) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, err := z.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return out.Bytes()
}

// A runner does what the stock runner does for two jobs (CI facts §4.1): it fetches, writes a
// trace, sends artifacts and a dotenv report, and tells of the end; the second job gets what the
// first left.
func TestRunnerRunsJobs(t *testing.T) {
	t.Parallel()
	w := newWorks(t, servertest.Fresh(t))
	status204, _ := w.ask(w.runner)
	require.Equal(t, http.StatusNoContent, status204)
	p := w.pipeline(script("build", 1, func(j *definition.Job) {
		j.Options.Coverage = `/Coverage: \d+\.\d+%/`
		j.Options.Artifacts = &definition.Artifacts{
			Paths: []string{"out"}, Reports: []definition.Report{{Kind: "dotenv", Type: "dotenv", Format: "gzip", Name: ".env"}},
		}
		j.Options.Cache = []definition.Cache{{Key: definition.CacheKey{Files: []string{"a.lock"}}, Policy: "pull-push"}}
		j.Options.AfterScript = []string{"echo over"}
		j.Variables = []expression.Variable{{Key: "OWN", Value: "$GIVEN"}}
	}), script("test", 2))

	job := w.take()
	require.Equal(t, "build", job.JobInfo.Name)
	require.Equal(t, 3600, job.RunnerInfo.Timeout)
	require.Equal(t, 20, job.GitInfo.Depth)
	require.Equal(t, "with 1", job.variable("OWN"))
	require.Equal(t, fmt.Sprint(p.ID), job.variable("CI_PIPELINE_ID"))
	require.Equal(t, job.Token, job.variable("CI_JOB_TOKEN"))
	require.Regexp(t, `^0_a-[0-9a-f]{40}-non_protected$`, job.Cache[0].Key)
	require.Len(t, job.Steps, 2)
	require.Len(t, job.Artifacts, 2)
	own := fmt.Sprintf("refs/pipelines/%d", p.ID)
	require.Equal(t, []string{"+" + own + ":" + own, "+refs/heads/main:refs/remotes/origin/main"}, job.GitInfo.Refspecs)

	c := gittest.ClientIn(t, filepath.Join(t.TempDir(), "builds"))
	gittest.ClientIn(t, ".").Git("init", "-q", c.Dir)
	c.Git("remote", "add", "origin", job.GitInfo.RepoURL)
	c.Git(append([]string{"fetch", "-q", "--depth", "20", "origin"}, job.GitInfo.Refspecs...)...)
	c.Git("checkout", "-q", job.GitInfo.SHA)
	require.Equal(t, w.commit+"\n", c.Git("rev-parse", own))

	begin, rest := "Running\n", "Coverage: 81.50%\nDone\n"
	resp := w.trace(job, 0, begin)
	require.Equal(t, http.StatusAccepted, resp.StatusCode)
	require.Equal(t, "0-8", resp.Header.Get("Range"))
	require.Equal(t, "running", resp.Header.Get("Job-Status"))
	require.Equal(t, "60", resp.Header.Get("X-GitLab-Trace-Update-Interval"))
	require.Equal(t, http.StatusRequestedRangeNotSatisfiable, w.trace(job, 100, rest).StatusCode)
	require.NoError(t, ci.WatchTrace(t.Context(), w.s.Store, job.ID))
	resp = w.trace(job, 8, rest)
	require.Equal(t, "3", resp.Header.Get("X-GitLab-Trace-Update-Interval"))

	archive := zipOf(t, map[string]string{"out/a.txt": "a", "../b": "b"})
	require.Equal(t, 201, w.upload(job, "artifact_type=archive&expire_in=1+day", "artifacts.zip", archive).StatusCode)
	require.Equal(t, 201, w.upload(job, "artifact_type=archive&expire_in=1+day", "artifacts.zip", archive).StatusCode, "again")
	require.Equal(t, 201, w.upload(job, "artifact_type=dotenv&artifact_format=gzip", ".env.gz",
		zipped(t, "FROM_BUILD=\"it\"\n")).StatusCode)
	require.Equal(t, 400, w.upload(job, "artifact_type=trace", "x", archive).StatusCode)
	require.Equal(t, http.StatusPreconditionFailed, w.put(job, map[string]any{
		"state": "success", "output": sumOf("something else"),
	}).StatusCode, "the trace is to be sent again")
	require.Equal(t, http.StatusAccepted, w.trace(job, 0, begin+rest).StatusCode)
	require.Equal(t, 200, w.put(job, map[string]any{"state": "success", "output": sumOf(begin + rest)}).StatusCode)
	require.Equal(t, 403, w.put(job, map[string]any{"state": "success"}).StatusCode, "it is over")
	resp = w.trace(job, 0, "more")
	require.Equal(t, 403, resp.StatusCode)
	require.Equal(t, "success", resp.Header.Get("Job-Status"))

	next := w.take()
	require.Equal(t, "it", next.variable("FROM_BUILD"))
	require.Len(t, next.Dependencies, 1)
	require.Equal(t, "artifacts.zip", next.Dependencies[0].ArtifactsFile.Filename)
	path := fmt.Sprintf("/jobs/%d/artifacts", job.ID)
	require.Equal(t, 403, w.send("GET", path, job.Token, "", nil, nil).StatusCode, "its job is over")
	resp = w.send("GET", path+"?direct_download=true", next.Dependencies[0].Token, "", nil, nil)
	require.Equal(t, 200, resp.StatusCode)
	got, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, archive, got)
	require.Equal(t, 200, w.put(next, map[string]any{
		"state": "failed", "failure_reason": "script_failure", "exit_code": 2,
	}).StatusCode)

	done, err := ci.FindJob(t.Context(), w.s.Store, job.ID)
	require.NoError(t, err)
	require.Equal(t, status.Success, done.Status)
	require.InDelta(t, 81.5, *done.Coverage, 0.001)
	list, err := ci.ArtifactsOf(t.Context(), w.s.Store, job.ID)
	require.NoError(t, err)
	a, err := ci.OpenArchive(t.Context(), w.s.Store, list[job.ID][0])
	require.NoError(t, err)
	require.Len(t, a.Entries, 1, "what leads out of the archive is hidden")
	require.NoError(t, a.Close())
	p, err = ci.FindPipeline(t.Context(), w.s.Store, p.ID)
	require.NoError(t, err)
	require.Equal(t, status.Failed, p.Status)

	w.s.Drain(t)
	require.Contains(t, gittest.ClientIn(t, ".").Refused("fetch", w.address(), own), "couldn't find remote ref")
	stored, err := ci.FindArtifact(t.Context(), w.s.Store, job.ID, ci.TraceFile)
	require.NoError(t, err)
	require.EqualValues(t, len(begin+rest), stored.Size)
}

// address is the address of the project for git, with the token of its owner.
func (w works) address() string {
	return strings.Replace(w.s.Server.URL(), "://", "://any:"+w.owner.Token+"@", 1) + "/" + w.project.Path + ".git"
}
