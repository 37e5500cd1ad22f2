package api_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/ci/definition"
	"hew/server/servertest"
)

// A pipeline of jobs is listed, played, retried, canceled and erased.
func TestJobs(t *testing.T) {
	t.Parallel()
	s := newSite(t, ci.Pipeline{}, job("build", 1), job("test", 2), job("deploy", 3, manual),
		job("child", 3, bridge, manual))
	var list []shownJob
	s.Do(t, s.owner.Token, "GET", s.path+"/jobs", nil).Into(t, &list)
	require.Len(t, list, 3, "trigger jobs are not among them")
	require.Equal(t, "deploy", list[0].Name, "the newest first")

	first := s.ends(t, "build", ci.Outcome{Reason: "script_failure"})
	var shown shownJob
	one := fmt.Sprintf("%s/jobs/%d", s.path, first.ID)
	s.Do(t, s.owner.Token, "GET", one, nil).Into(t, &shown)
	require.Equal(t, "failed", shown.Status)
	require.Equal(t, "script_failure", shown.FailureReason)
	require.NotNil(t, shown.Duration)
	require.Equal(t, s.pipeline.ID, shown.Pipeline.ID)
	require.Equal(t, s.owner.Username, shown.User.Username)
	require.Empty(t, shown.Artifacts)
	require.Nil(t, shown.ArtifactsFile)

	r := s.Do(t, s.owner.Token, "POST", one+"/retry", nil)
	require.Equal(t, 201, r.Status, "%s", r.Body)
	r.Into(t, &shown)
	require.NotEqual(t, first.ID, shown.ID)
	require.Equal(t, "pending", shown.Status)
	require.Equal(t, 403, s.Do(t, s.owner.Token, "POST", one+"/retry", nil).Status, "another took its place")
	s.ends(t, "build", ci.Outcome{Success: true})
	s.ends(t, "test", ci.Outcome{Success: true})

	jobs := fmt.Sprintf("%s/pipelines/%d/jobs", s.path, s.pipeline.ID)
	s.Do(t, s.owner.Token, "GET", jobs, nil).Into(t, &list)
	require.Len(t, list, 3)
	s.Do(t, s.owner.Token, "GET", jobs+"?include_retried=true&scope[]=failed&scope[]=manual", nil).Into(t, &list)
	require.Len(t, list, 2)
	s.Do(t, s.owner.Token, "GET", fmt.Sprintf("%s/pipelines/%d/bridges", s.path, s.pipeline.ID), nil).Into(t, &list)
	require.Len(t, list, 1)
	require.Nil(t, list[0].Downstream)

	deploy := s.job(t, "deploy")
	r = s.Do(t, s.owner.Token, "POST", fmt.Sprintf("%s/jobs/%d/play", s.path, deploy.ID), map[string]any{
		"job_variables_attributes": []map[string]string{{"key": "TARGET", "value": "here"}},
	})
	require.Equal(t, 200, r.Status, "%s", r.Body)
	r.Into(t, &shown)
	require.Equal(t, "pending", shown.Status)
	r = s.Do(t, s.owner.Token, "POST", fmt.Sprintf("%s/jobs/%d/cancel", s.path, deploy.ID), nil)
	require.Equal(t, 201, r.Status)
	r.Into(t, &shown)
	require.Equal(t, "canceled", shown.Status)

	var variables []map[string]any
	one = fmt.Sprintf("%s/pipelines/%d", s.path, s.pipeline.ID)
	s.Do(t, s.owner.Token, "GET", one+"/variables", nil).Into(t, &variables)
	require.Equal(t, []map[string]any{{"key": "A", "variable_type": "file", "value": "b", "raw": false}}, variables)
}

// Files of jobs are read whole, in part and one by one, kept, and erased.
func TestArtifacts(t *testing.T) {
	t.Parallel()
	s := newSite(t, ci.Pipeline{Ref: "feature/one"}, job("build", 1))
	j := s.ends(t, "build", ci.Outcome{Success: true})
	one := fmt.Sprintf("/jobs/%d", j.ID)
	resp, body := s.get(t, s.owner.Token, one+"/trace", "")
	require.Equal(t, 200, resp.StatusCode, "a job without a trace has an empty one")
	require.Empty(t, body)

	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for name, text := range map[string]string{"out/page.html": "<p>page</p>", "../../etc/passwd": "no"} {
		f, err := z.Create(name)
		require.NoError(t, err)
		_, err = f.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	soon := time.Now().Add(time.Hour)
	s.leaves(t, j, ci.ArchiveFile, "zip", archive.Bytes(), func(a *ci.Artifact) { a.ExpireAt = &soon })
	s.leaves(t, j, ci.TraceFile, "raw", []byte("one\ntwo\nthree\n"))

	resp, body = s.get(t, s.owner.Token, one+"/trace", "bytes=4-")
	require.Equal(t, 206, resp.StatusCode)
	require.Equal(t, "two\nthree\n", body)
	require.Equal(t, "text/plain; charset=utf-8", resp.Header.Get("Content-Type"))
	resp, body = s.get(t, s.owner.Token, one+"/artifacts", "")
	require.Equal(t, archive.String(), body)
	require.Equal(t, "attachment; filename=archive.zip", resp.Header.Get("Content-Disposition"))
	for path, want := range map[string]struct {
		status int
		body   string
	}{
		one + "/artifacts/out/page.html":                            {200, "<p>page</p>"},
		one + "/artifacts/out/none.html":                            {404, ""},
		one + "/artifacts/..%2F..%2Fetc%2Fpasswd":                   {404, ""},
		"/jobs/artifacts/feature/one/download?job=build":            {200, archive.String()},
		"/jobs/artifacts/feature%2Fone/raw/out/page.html?job=build": {200, "<p>page</p>"},
		"/jobs/artifacts/feature/one/raw/out/page.html?job=other":   {404, ""},
		"/jobs/artifacts/feature/two/download?job=build":            {404, ""},
	} {
		resp, body = s.get(t, s.owner.Token, path, "")
		require.Equal(t, want.status, resp.StatusCode, "%s: %s", path, body)
		if want.status == 200 {
			require.Equal(t, want.body, body, path)
			require.Equal(t, "application/octet-stream", resp.Header.Get("Content-Type"), "no page of a job runs here")
		}
	}

	var shown shownJob
	r := s.Do(t, s.owner.Token, "POST", s.path+one+"/artifacts/keep", nil)
	require.Equal(t, 200, r.Status)
	r.Into(t, &shown)
	require.Equal(t, "archive.zip", shown.ArtifactsFile.Filename)
	kept, err := ci.FindArtifact(t.Context(), s.Store, j.ID, ci.ArchiveFile)
	require.NoError(t, err)
	require.Nil(t, kept.ExpireAt)

	r = s.Do(t, s.owner.Token, "POST", s.path+one+"/erase", nil)
	require.Equal(t, 201, r.Status, "%s", r.Body)
	shown = shownJob{}
	r.Into(t, &shown)
	require.NotNil(t, shown.ErasedAt)
	require.Empty(t, shown.Artifacts)
	require.Equal(t, 403, s.Do(t, s.owner.Token, "POST", s.path+one+"/erase", nil).Status)
	resp, body = s.get(t, s.owner.Token, one+"/trace", "")
	require.Equal(t, 200, resp.StatusCode)
	require.Empty(t, body)
}

// Each access level of artifacts lets in who it names, and nobody below.
func TestArtifactAccess(t *testing.T) {
	t.Parallel()
	s := newSite(t, ci.Pipeline{}, job("build", 1))
	tokens := map[string]string{"owner": s.owner.Token}
	for name, level := range map[string]int{"guest": 10, "developer": 30, "maintainer": 40} {
		u := s.User(t, "access-"+name)
		s.Do(t, s.owner.Token, "POST", s.path+"/members", map[string]any{"user_id": u.ID, "access_level": level})
		tokens[name] = u.Token
	}
	j := s.ends(t, "build", ci.Outcome{Success: true})
	s.leaves(t, j, ci.ArchiveFile, "zip", []byte("PK"))
	for access, admitted := range map[string]string{
		ci.AllAccess: "guest developer maintainer owner", ci.DeveloperAccess: "developer maintainer owner",
		ci.MaintainerAccess: "maintainer owner", ci.NoAccess: "",
	} {
		_, err := s.Store.DB().Exec(t.Context(), `update job_artifacts set access = $1 where job_id = $2`, access, j.ID)
		require.NoError(t, err)
		for name, token := range tokens {
			resp, _ := s.get(t, token, fmt.Sprintf("/jobs/%d/artifacts", j.ID), "")
			want := 403
			if slices.Contains(strings.Fields(admitted), name) {
				want = 200
			}
			require.Equal(t, want, resp.StatusCode, "%s as %s", access, name)
		}
	}
}

// The trace of a job that is debugged shows the values of variables: it is for developers.
func TestDebugTrace(t *testing.T) {
	t.Parallel()
	s := newSite(t, ci.Pipeline{}, job("build", 1))
	guest := s.User(t, "debug-guest")
	s.Do(t, s.owner.Token, "POST", s.path+"/members", map[string]any{"user_id": guest.ID, "access_level": 10})
	j := s.ends(t, "build", ci.Outcome{Success: true})
	trace := fmt.Sprintf("/jobs/%d/trace", j.ID)
	resp, _ := s.get(t, guest.Token, trace, "")
	require.Equal(t, 200, resp.StatusCode)
	require.NoError(t, ci.NoteDebugTrace(t.Context(), s.Store, j))
	resp, _ = s.get(t, guest.Token, trace, "")
	require.Equal(t, 403, resp.StatusCode)
	resp, _ = s.get(t, s.owner.Token, trace, "")
	require.Equal(t, 200, resp.StatusCode)
}

// Artifacts that a job does not publish, or that have expired, are not for everybody.
func TestPrivateArtifacts(t *testing.T) {
	t.Parallel()
	s := newSite(t, ci.Pipeline{}, job("build", 1), job("old", 1))
	require.Equal(t, 200, s.Do(t, s.owner.Token, "PUT", s.path, map[string]any{"keep_latest_artifact": false}).Status)
	guest := s.User(t, "gustav")
	s.Do(t, s.owner.Token, "POST", s.path+"/members", map[string]any{"user_id": guest.ID, "access_level": 10})
	j, old := s.ends(t, "build", ci.Outcome{Success: true}), s.ends(t, "old", ci.Outcome{Success: true})
	s.leaves(t, j, ci.ArchiveFile, "zip", []byte("PK"), func(a *ci.Artifact) { a.Access = ci.DeveloperAccess })
	past := time.Now().Add(-time.Hour)
	s.leaves(t, old, ci.ArchiveFile, "zip", []byte("PK"), func(a *ci.Artifact) { a.ExpireAt = &past })
	for _, c := range []struct {
		token  string
		job    int64
		status int
	}{{s.owner.Token, j.ID, 200}, {guest.Token, j.ID, 403}, {s.owner.Token, old.ID, 404}} {
		resp, _ := s.get(t, c.token, fmt.Sprintf("/jobs/%d/artifacts", c.job), "")
		require.Equal(t, c.status, resp.StatusCode)
	}
	resp, _ := s.get(t, s.owner.Token, fmt.Sprintf("/jobs/%d/artifacts/a", j.ID), "")
	require.Equal(t, 422, resp.StatusCode, "it is no archive")

	require.Equal(t, 202, s.Do(t, s.owner.Token, "DELETE", s.path+"/artifacts", nil).Status)
	s.Drain(t)
	left, err := ci.ArtifactsOf(context.WithoutCancel(t.Context()), s.Store, j.ID, old.ID)
	require.NoError(t, err)
	require.Empty(t, left)
}

// A job that is run again has the variables that it was played with, and none that it reported.
func TestRetriedVariables(t *testing.T) {
	t.Parallel()
	w := newWorks(t, servertest.Start(t))
	w.pipeline(script("deploy", 1, func(j *definition.Job) { j.When = definition.Manual }))
	jobs := fmt.Sprintf("/projects/%d/jobs", w.project.ID)
	var list []struct{ ID int64 }
	w.s.Do(t, w.owner.Token, "GET", jobs, nil).Into(t, &list)
	r := w.s.Do(t, w.owner.Token, "POST", fmt.Sprintf("%s/%d/play", jobs, list[0].ID), map[string]any{
		"job_variables_attributes": []map[string]string{{"key": "TARGET", "value": "here"}, {"key": "SIZE", "value": "2"}},
	})
	require.Equal(t, 200, r.Status, "%s", r.Body)
	for range 3 {
		job := w.take()
		require.Equal(t, "here", job.variable("TARGET"))
		require.Equal(t, "2", job.variable("SIZE"))
		require.Empty(t, job.variable("REPORTED"))
		require.Equal(t, 201, w.upload(job, "artifact_type=dotenv&artifact_format=gzip", ".env.gz",
			zipped(t, "REPORTED=1\n")).StatusCode)
		require.Equal(t, 200, w.put(job, map[string]any{"state": "failed"}).StatusCode)
		r = w.s.Do(t, w.owner.Token, "POST", fmt.Sprintf("%s/%d/retry", jobs, job.ID), nil)
		require.Equal(t, 201, r.Status, "%s", r.Body)
	}
}
