package api_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/servertest"
)

// waiting is a project that merges only what has passed, with a merge request whose pipeline waits
// for a runner.
type waiting struct {
	yard
	p string
}

func newWaiting(t *testing.T) waiting {
	y := newYard(t)
	p := y.project("site", map[string]string{".gitlab-ci.yml": "a: {script: a}"})
	y.ok("PUT", p, map[string]any{"only_allow_merge_if_pipeline_succeeds": true})
	y.commit(p, "topic", "Change", map[string]string{"x": "1"})
	y.ok("POST", p+"/merge_requests",
		map[string]any{"source_branch": "topic", "target_branch": "main", "title": "Topic"})
	w := waiting{y, p}
	w.Drain(t)
	return w
}

// state returns what the merge request waits for.
func (w waiting) state(t *testing.T) (state, detailed string, armed bool) {
	t.Helper()
	var r struct {
		State    string `json:"state"`
		Detailed string `json:"detailed_merge_status"`
		Armed    bool   `json:"merge_when_pipeline_succeeds"`
		Head     *struct {
			Status string `json:"status"`
		} `json:"head_pipeline"`
	}
	w.ok("GET", w.p+"/merge_requests/1", nil).Into(t, &r)
	require.NotNil(t, r.Head)
	return r.State, r.Detailed, r.Armed
}

// ends ends the job of the pipeline that the merge request waits for, as a runner would.
func (w waiting) ends(t *testing.T, o ci.Outcome) {
	t.Helper()
	id, err := db.Value[int64](t.Context(), w.Store, `
		select j.id from merge_requests m join jobs j on j.pipeline_id = m.head_pipeline_id and not j.retried`, nil)
	require.NoError(t, err)
	j, err := ci.FindJob(t.Context(), w.Store, id)
	require.NoError(t, err)
	require.NoError(t, ci.InPipeline(t.Context(), w.Store, j.PipelineID, func(c *ci.Change) error {
		c.Set(c.Job(id), status.Running)
		return nil
	}))
	require.NoError(t, ci.FinishJob(t.Context(), w.Store, j, o))
	w.Drain(t)
}

func (w waiting) merge(t *testing.T, later bool) servertest.Reply {
	return w.Do(t, w.by.Token, "PUT", w.p+"/merge_requests/1/merge", map[string]any{
		"merge_when_pipeline_succeeds": later, "merge_commit_message": "Land it",
	})
}

// note returns the newest system note of the merge request.
func (w waiting) note() string {
	var notes []struct{ Body string }
	w.ok("GET", w.p+"/merge_requests/1/notes?activity_filter=only_activity&per_page=1", nil).Into(w.t, &notes)
	if len(notes) == 0 {
		return ""
	}
	return notes[0].Body
}

// A merge that waits for its pipeline happens once that succeeds. A failure ends the wait.
func TestMergeWhenPipelineSucceeds(t *testing.T) {
	t.Parallel()
	w := newWaiting(t)
	_, detailed, _ := w.state(t)
	require.Equal(t, "ci_still_running", detailed)
	require.Equal(t, 405, w.merge(t, false).Status, "the pipeline is not over")
	require.Equal(t, 406, w.Do(t, w.by.Token, "POST",
		w.p+"/merge_requests/1/cancel_merge_when_pipeline_succeeds", nil).Status, "nothing waits")

	require.Equal(t, 200, w.merge(t, true).Status)
	state, _, armed := w.state(t)
	require.Equal(t, "opened", state)
	require.True(t, armed)
	w.ends(t, ci.Outcome{Reason: "script_failure"})
	state, detailed, armed = w.state(t)
	require.Equal(t, []any{"opened", "ci_must_pass", false}, []any{state, detailed, armed})
	require.Equal(t, "aborted the automatic merge because pipeline failed", w.note())

	var pipelines []struct{ ID int64 }
	w.ok("GET", w.p+"/merge_requests/1/pipelines", nil).Into(t, &pipelines)
	require.Len(t, pipelines, 1)
	jobs, err := db.Values[int64](t.Context(), w.Store, `
		select j.id from merge_requests m join jobs j on j.pipeline_id = m.head_pipeline_id`, nil)
	require.NoError(t, err)
	w.ok("POST", w.p+"/jobs/"+strconv.FormatInt(jobs[0], 10)+"/retry", nil)
	require.Equal(t, 200, w.merge(t, true).Status)
	w.ends(t, ci.Outcome{Success: true})
	state, _, armed = w.state(t)
	require.Equal(t, "merged", state)
	require.False(t, armed)
	var commits []struct{ Title string }
	w.ok("GET", w.p+"/repository/commits?ref_name=main", nil).Into(t, &commits)
	require.Equal(t, "Land it", commits[0].Title)
}

// What makes a merge request another one, or ends it, disarms it, and says so (more §6.2).
func TestDisarmChanged(t *testing.T) {
	t.Parallel()
	w := newWaiting(t)
	w.ok("POST", w.p+"/repository/branches?branch=stable&ref=main", nil)
	for _, c := range []struct {
		change, undo map[string]any
		why          string
	}{
		{map[string]any{"title": "Draft: topic"}, map[string]any{"title": "Topic"}, "merge request was marked as a draft"},
		{map[string]any{"target_branch": "stable"}, map[string]any{"target_branch": "main"}, "target branch was changed"},
		{map[string]any{"state_event": "close"}, map[string]any{"state_event": "reopen"}, "merge request was closed"},
	} {
		require.Equal(t, 200, w.merge(t, true).Status, c.why)
		require.Equal(t, 200, w.merge(t, true).Status, "it is armed already")
		w.ok("PUT", w.p+"/merge_requests/1", map[string]any{"description": "Still the same"})
		_, _, armed := w.state(t)
		require.True(t, armed)
		w.ok("PUT", w.p+"/merge_requests/1", c.change)
		_, _, armed = w.state(t)
		require.False(t, armed, c.why)
		require.Equal(t, "aborted the automatic merge because "+c.why, w.note())
		w.ok("PUT", w.p+"/merge_requests/1", c.undo)
		w.Drain(t)
	}
	var notes []struct{ Body string }
	w.ok("GET", w.p+"/merge_requests/1/notes?activity_filter=only_activity&per_page=100", nil).Into(t, &notes)
	armed := 0
	for _, n := range notes {
		if strings.HasPrefix(n.Body, "enabled an automatic merge") {
			armed++
		}
	}
	require.Equal(t, 3, armed, "who arms again says nothing new")
}

// A push and a change of mind disarm.
func TestDisarm(t *testing.T) {
	t.Parallel()
	w := newWaiting(t)
	require.Equal(t, 200, w.merge(t, true).Status)
	w.ok("POST", w.p+"/merge_requests/1/cancel_merge_when_pipeline_succeeds", nil)
	_, _, armed := w.state(t)
	require.False(t, armed)
	require.Equal(t, 200, w.merge(t, true).Status)
	w.commit(w.p, "topic", "Change again", map[string]string{"y": "1"})
	w.Drain(t)
	_, _, armed = w.state(t)
	require.False(t, armed)
	w.ends(t, ci.Outcome{Success: true})
	state, detailed, _ := w.state(t)
	require.Equal(t, []any{"opened", "mergeable"}, []any{state, detailed})
	require.Equal(t, 200, w.merge(t, true).Status, "nothing is to wait for")
	state, _, _ = w.state(t)
	require.Equal(t, "merged", state)
}
