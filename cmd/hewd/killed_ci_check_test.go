package main

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/server/ci/status"
	"hew/server/servertest"
)

// checkAll compares what is there with what was acknowledged.
func (w *works) checkAll() {
	w.t.Helper()
	pushes, armed, played := 0, 0, 0
	for _, p := range w.projects {
		p.checkPushed()
		p.checkArmed()
		p.checkPlayed()
		pushes, armed, played = pushes+len(p.kept), armed+len(p.armed), played+len(p.played)
	}
	w.checkStates()
	for _, j := range w.given {
		w.checkJob(j)
	}
	require.Empty(w.t, w.strings(`
		select concat_ws(' ', 'deployment', d.id, d.status, 'of job', j.id, j.status)
		from deployments d join jobs j on j.id = d.job_id where d.status <> j.status`))
	require.Empty(w.t, w.strings(`select name from refs where name like 'refs/pipelines/%'`))
	require.Empty(w.t, w.strings(`
		select 'job ' || job_id from job_trace_chunks c join jobs j on j.id = c.job_id where j.status <> 'running'`))
	w.t.Logf("%d pushes, %d merge requests to be merged, %d schedules played, %d jobs given to runners",
		pushes, armed, played, len(w.given))
}

// checkPushed finds one pipeline for each push that was acknowledged, and for each commit that is
// on main, where each is a push of its own.
func (p *ciProject) checkPushed() {
	p.t.Helper()
	made := map[string]int{}
	for _, id := range p.works.strings(`
		select encode(commit_oid, 'hex') from pipelines where project_id = $1 and source = 'push'`, p.id) {
		made[id]++
	}
	for id, n := range made {
		assert.Equal(p.t, 1, n, "pipelines of the push of %s", id)
	}
	topics := map[string]bool{} // of the third project, whose workflow leaves them to merge requests
	for branch, id := range p.acked {
		topics[id] = p.name == "ci-2" && strings.HasPrefix(branch, "topic-")
	}
	for _, id := range p.kept {
		if !topics[id] {
			assert.Contains(p.t, made, id, "%s: the push has no pipeline", p.name)
		}
	}
	for page := 1; ; page++ {
		var list []struct{ ID string }
		require.Equal(p.t, 200, p.request("GET", fmt.Sprintf(
			"/projects/%d/repository/commits?ref_name=main&first_parent=true&per_page=100&page=%d", p.id, page),
			nil, &list))
		for _, c := range list {
			assert.Contains(p.t, made, c.ID, "%s: a commit of main has no pipeline", p.name)
		}
		if len(list) < 100 {
			return
		}
	}
}

func (p *ciProject) checkArmed() {
	p.t.Helper()
	for _, iid := range p.armed {
		var r mergeRequest
		require.Equal(p.t, 200, p.request("GET", fmt.Sprintf("/projects/%d/merge_requests/%d", p.id, iid), nil, &r))
		assert.Equal(p.t, "merged", r.State, "%s!%d: %q", p.name, iid, p.works.strings(`
			select concat_ws(' ', 'head pipeline', p.id, p.status, p.source, 'said:', (
				select string_agg(n.body, '; ' order by n.id) from notes n where n.merge_request_id = r.id))
			from merge_requests r left join pipelines p on p.id = r.head_pipeline_id
			where r.project_id = $1 and r.iid = $2`, p.id, iid))
	}
}

// checkPlayed finds one pipeline for each play that was acknowledged, and at most one for others.
func (p *ciProject) checkPlayed() {
	p.t.Helper()
	made := map[string]int{}
	for _, id := range p.works.strings(`
		select schedule_id::text from pipelines where project_id = $1 and schedule_id is not null`, p.id) {
		made[id]++
		assert.Equal(p.t, 1, made[id], "%s: pipelines of schedule %s", p.name, id)
	}
	for _, id := range p.played {
		assert.Contains(p.t, made, fmt.Sprint(id), "%s: the schedule was played", p.name)
	}
}

// checkStates compares the state of each pipeline with what its jobs come to.
func (w *works) checkStates() {
	w.t.Helper()
	rows, _ := w.db.Query(w.t.Context(), `
		select p.id, p.status, j.name, j.stage_index, j.status, j.allow_failure from pipelines p
		join jobs j on j.pipeline_id = p.id and not j.retried order by p.id, j.id`)
	nodes, states := map[int64][]status.Job{}, map[int64]status.Status{}
	var id int64
	var is status.Status
	var node status.Job
	_, err := pgx.ForEachRow(rows, []any{&id, &is, &node.Name, &node.Stage, &node.Status, &node.AllowFailure},
		func() error {
			nodes[id], states[id] = append(nodes[id], node), is
			return nil
		})
	require.NoError(w.t, err)
	require.NotEmpty(w.t, nodes)
	for id, list := range nodes {
		assert.Equal(w.t, status.Of(list), states[id], "pipeline %d of %v", id, list)
	}
	require.Empty(w.t, w.strings(`
		select 'pipeline ' || pipeline_id || ' has two of ' || name from jobs where not retried
		group by pipeline_id, name having count(*) > 1`))
}

// checkJob compares a job with what its runner was told.
func (w *works) checkJob(j *givenJob) {
	w.t.Helper()
	var is, trace string
	require.NoError(w.t, w.db.QueryRow(w.t.Context(), `
		select status, trace_size::text from jobs where id = $1`, j.ID).Scan(&is, &trace))
	if j.ended != "" && is != "canceled" {
		assert.Equal(w.t, j.ended, is, "job %d", j.ID)
	}
	p := fmt.Sprintf("/projects/%s/jobs/%d", j.variable("CI_PROJECT_ID"), j.ID)
	token := map[string]string{"PRIVATE-TOKEN": servertest.RootToken}
	got := w.send(w.t.Context(), "GET", p+"/trace", token, nil)
	require.Equal(w.t, 200, got.status, "%s", got.body)
	assert.True(w.t, strings.HasPrefix(string(got.body), j.text[:j.acked]) && strings.HasPrefix(j.text, string(got.body)),
		"job %d %s: %d bytes of the trace were acknowledged, there is %q of %q", j.ID, is, j.acked, got.body, j.text)
	if j.archive != nil {
		got = w.send(w.t.Context(), "GET", p+"/artifacts", token, nil)
		assert.Equal(w.t, hex.EncodeToString(j.archive), hex.EncodeToString(got.body), "archive of job %d", j.ID)
	}
}
