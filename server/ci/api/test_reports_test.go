package api_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/ci/definition"
	"hew/server/ci/status"
)

func packed(t *testing.T, files ...string) []byte {
	var b bytes.Buffer
	for _, f := range files {
		z := gzip.NewWriter(&b)
		_, err := z.Write([]byte(f))
		require.NoError(t, err)
		require.NoError(t, z.Close())
	}
	return b.Bytes()
}

type shownSuite struct {
	Name       string
	TotalCount int     `json:"total_count"`
	TotalTime  float64 `json:"total_time"`
	Failed     int     `json:"failed_count"`
	SuiteError *string `json:"suite_error"`
	BuildIDs   []int64 `json:"build_ids"`
	Cases      []struct {
		Status, Name  string
		AttachmentURL string `json:"attachment_url"`
	} `json:"test_cases"`
}

type shownReport struct {
	TotalCount int `json:"total_count"`
	Total      struct{ Count, Failed int }
	Suites     []shownSuite `json:"test_suites"`
}

// The instances of a parallel job share a suite, those of a matrix do not, and only the newest run
// of each counts.
func TestReports(t *testing.T) {
	t.Parallel()
	instance := func(name, base string) *definition.Job {
		return job(name, 1, func(j *definition.Job) { j.Base = base })
	}
	s := newSite(t, ci.Pipeline{}, instance("unit 1/2", "unit"), instance("unit 2/2", "unit"),
		instance("e2e: [a, b]", "e2e"), job("lint", 1), job("late", 1))
	suite := func(cases string) string { return "<testsuite>" + cases + "</testsuite>" }
	for _, run := range []struct {
		job   string
		files []string
		fails bool
	}{
		{"unit 1/2", []string{suite(`<testcase name="old"/>`)}, true},
		{"unit 1/2", []string{suite(`<testcase name="a" time="1"/>`), suite(`<testcase name="b" time="2"/>`)}, false},
		{"unit 2/2", []string{suite(`<testcase name="c" time="4"/>`)}, false},
		{"e2e: [a, b]", []string{suite(`<testcase name="d"><failure>no</failure>` +
			`<system-out>[[ATTACHMENT|shots/d.png]]</system-out></testcase>`)}, true},
		{"lint", []string{"<testsuite>"}, false},
	} {
		j := s.job(t, run.job)
		if j.Status.Complete() {
			_, err := ci.RetryJob(t.Context(), s.Store, j, s.user(t))
			require.NoError(t, err)
			j = s.job(t, run.job)
		}
		s.leaves(t, j, ci.JUnitFile, "gzip", packed(t, run.files...))
		s.ends(t, run.job, ci.Outcome{Success: !run.fails, Reason: "script_failure"})
	}
	s.leaves(t, s.job(t, "late"), ci.JUnitFile, "gzip", packed(t, suite(`<testcase name="e"/>`))) // it still runs

	one := fmt.Sprintf("%s/pipelines/%d", s.path, s.pipeline.ID)
	var report, summary shownReport
	s.Do(t, s.owner.Token, "GET", one+"/test_report", nil).Into(t, &report)
	require.Equal(t, 4, report.TotalCount)
	require.Len(t, report.Suites, 3)
	byName := map[string]shownSuite{}
	for _, suite := range report.Suites {
		byName[suite.Name] = suite
	}
	unit, e2e, lint := byName["unit"], byName["e2e: [a, b]"], byName["lint"]
	require.Equal(t, 3, unit.TotalCount)
	require.InDelta(t, 7, unit.TotalTime, 0)
	require.Equal(t, "c", unit.Cases[0].Name, "the slowest first")
	require.Equal(t, 1, e2e.Failed)
	require.Equal(t, fmt.Sprintf("%s/%s/site/-/jobs/%d/artifacts/file/shots/d.png", s.Server.Server.URL(),
		s.owner.Username, s.job(t, "e2e: [a, b]").ID), e2e.Cases[0].AttachmentURL)
	require.Equal(t, "JUnit XML parsing failed: 1: unexpected EOF", *lint.SuiteError)
	require.Empty(t, lint.Cases)

	s.Do(t, s.owner.Token, "GET", one+"/test_report_summary", nil).Into(t, &summary)
	require.Equal(t, 4, summary.Total.Count)
	require.Equal(t, 1, summary.Total.Failed)
	require.Len(t, summary.Suites, 3)
	for _, suite := range summary.Suites {
		require.Equal(t, byName[suite.Name].TotalCount, suite.TotalCount, suite.Name)
		require.Equal(t, byName[suite.Name].SuiteError, suite.SuiteError, suite.Name)
		if suite.Name == "unit" {
			ids := []int64{s.job(t, "unit 2/2").ID, s.job(t, "unit 1/2").ID}
			require.Equal(t, ids, suite.BuildIDs, "by id: one ran again")
		}
	}
}

// What belongs to a pipeline is canceled and deleted with it, and is not in the list.
func TestChildren(t *testing.T) {
	t.Parallel()
	s := newSite(t, ci.Pipeline{}, job("build", 1), job("child", 1, bridge, manual))
	started := s.job(t, "child")
	child, err := ci.StorePipeline(t.Context(), s.Store, ci.Pipeline{
		ProjectID: s.id, UserID: &s.owner.ID, Source: ci.ByParent, Ref: "topic", Commit: s.pipeline.Commit,
		UpstreamJobID: &started.ID,
	}, nil, []*definition.Job{job("below", 1)})
	require.NoError(t, err)

	var list []shownJob
	s.Do(t, s.owner.Token, "GET", s.path+"/pipelines", nil).Into(t, &list)
	require.Len(t, list, 1)
	s.Do(t, s.owner.Token, "GET", s.path+"/pipelines?source=parent_pipeline", nil).Into(t, &list)
	require.Equal(t, child.ID, list[0].ID)
	one := fmt.Sprintf("%s/pipelines/%d", s.path, s.pipeline.ID)
	s.Do(t, s.owner.Token, "GET", one+"/bridges", nil).Into(t, &list)
	require.Equal(t, child.ID, list[0].Downstream.ID)

	require.Equal(t, 200, s.Do(t, s.owner.Token, "POST", one+"/cancel", nil).Status)
	s.Drain(t)
	child, err = ci.FindPipeline(t.Context(), s.Store, child.ID)
	require.NoError(t, err)
	require.Equal(t, status.Canceled, child.Status)
	require.Equal(t, 204, s.Do(t, s.owner.Token, "DELETE", one, nil).Status)
	_, err = ci.FindPipeline(t.Context(), s.Store, child.ID)
	require.Error(t, err)
}
