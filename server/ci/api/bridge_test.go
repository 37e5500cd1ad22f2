package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/ci/status"
	"hew/server/db"
)

// states returns the state of each job of a project, of each pipeline, in their order.
func (y yard) states(project string) string {
	y.t.Helper()
	y.Drain(y.t)
	rows, err := db.Values[string](y.t.Context(), y.Store, `
		select p.status || '(' || coalesce(string_agg(j.name || ' ' || j.status ||
			coalesce(' ' || j.failure_reason, ''), ', ' order by j.id), '') || ')'
		from pipelines p left join jobs j on j.pipeline_id = p.id where p.project_id = @id group by p.id order by p.id`,
		pgx.NamedArgs{"id": strings.TrimPrefix(project, "/projects/")})
	require.NoError(y.t, err)
	return strings.Join(rows, " ")
}

// end ends the newest job of a name that waits in a project, as a runner would.
func (y yard) end(project, name string, o ci.Outcome) {
	y.t.Helper()
	ctx := y.t.Context()
	id, err := db.Value[int64](ctx, y.Store, `
		select id from jobs where project_id = @id and name = @name and status = 'pending' order by id desc limit 1`,
		pgx.NamedArgs{"id": strings.TrimPrefix(project, "/projects/"), "name": name})
	require.NoError(y.t, err)
	j, err := ci.FindJob(ctx, y.Store, id)
	require.NoError(y.t, err)
	require.NoError(y.t, ci.InPipeline(ctx, y.Store, j.PipelineID, func(c *ci.Change) error {
		c.Set(c.Job(id), status.Running)
		return nil
	}))
	require.NoError(y.t, ci.FinishJob(ctx, y.Store, j, o))
}

// each ends all jobs of a name in a project.
func (y yard) each(project, name string, o ci.Outcome) error {
	ids, err := db.Values[int64](y.t.Context(), y.Store, `select id from jobs where project_id = @id and name = @name`,
		pgx.NamedArgs{"id": strings.TrimPrefix(project, "/projects/"), "name": name})
	for range ids {
		if err == nil {
			y.end(project, name, o)
		}
	}
	return err
}

// A child pipeline has the files that its bridge includes, and a bridge with a strategy the result
// of its pipeline.
func TestChildPipelines(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{
		".gitlab-ci.yml": `
stages: [a, b]
variables: {TOP: t}
free: {stage: a, trigger: {include: child.yml}}
bound: {stage: a, variables: {WHO: "$TOP-x"}, trigger: {include: [{local: child.yml}], strategy: depend}}
after: {stage: b, script: a}
`,
		"child.yml": `one: {script: "1", rules: [{if: '$CI_PIPELINE_SOURCE == "parent_pipeline"'}]}
two: {script: "2", rules: [{if: '$WHO == "t-x"'}]}`,
	})
	const bound, free = "(one pending, two pending)", "(one pending)"
	now := y.states(p)
	require.Contains(t, now, "running(free success, bound running, after created) ")
	require.Contains(t, now, bound)
	require.Contains(t, now, free)
	require.Equal(t, "push", strings.Fields(y.pipelines(p)[0])[0])
	y.end(p, "two", ci.Outcome{Reason: "script_failure"})
	require.Contains(t, y.states(p), "bound running, after created")
	require.NoError(t, y.each(p, "one", ci.Outcome{Success: true}))
	require.Contains(t, y.states(p), "failed(free success, bound failed unknown_failure, after skipped)")

	var made struct{ ID int64 }
	y.ok("POST", p+"/pipeline", map[string]any{"ref": "main"}).Into(t, &made)
	y.Drain(t)
	require.NoError(t, ci.CancelPipeline(t.Context(), y.Store, made.ID))
	require.Contains(t, y.states(p), "canceled(free success, bound canceled, after canceled)")
	require.Contains(t, y.states(p), "canceled(one canceled, two canceled)")

	deep := "include: {local: deep.yml}"
	p = y.project("deep", map[string]string{
		".gitlab-ci.yml": "go: {trigger: {" + deep + "}}", "deep.yml": "go: {trigger: {" + deep + "}}",
	})
	require.Equal(t, "success(go success) success(go success) "+
		"failed(go failed reached_max_descendant_pipelines_depth)", y.states(p))
	p = y.project("broken", map[string]string{".gitlab-ci.yml": "go: {trigger: {include: {local: gone.yml}}}"})
	require.Contains(t, y.states(p), "success(go success) failed()")
}

// A child pipeline of a push asks what the push changed (CI facts §1.6).
func TestChildPipelineChanges(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{
		".gitlab-ci.yml": "go: {trigger: {include: child.yml}}",
		"child.yml":      "a: {script: a, rules: [{changes: [x]}]}\nb: {script: b}",
	})
	require.Contains(t, y.states(p), "(a pending, b pending)", "of a new branch nothing is known")
	y.commit(p, "main", "Change y", map[string]string{"y": "1"})
	require.Contains(t, y.states(p), "success(go success) pending(b pending)")
	of, _ := y.variables(ci.ByParent)("CI_UPSTREAM_PIPELINE_ID")
	up, err := db.Value[string](t.Context(), y.Store, `select max(id)::text from pipelines where source = 'push'`, nil)
	require.NoError(t, err)
	require.Equal(t, up, of)
}

// A bridge with an environment has the variables of that (CI facts §2.4).
func TestBridgeEnvironment(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", nil)
	y.ok("POST", p+"/variables", map[string]any{"key": "KEY", "value": "scoped", "environment_scope": "live"})
	y.commit(p, "main", "Add files", map[string]string{
		".gitlab-ci.yml": "go: {environment: live, variables: {OF: $KEY at $CI_ENVIRONMENT_NAME}, trigger: " +
			"{include: child.yml}}",
		"child.yml": `a: {script: a, rules: [{if: '$OF == "scoped at live"'}]}`,
	})
	require.Equal(t, "success(go success) pending(a pending)", y.states(p))
}

func TestMultiProjectPipelines(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	below := y.project("below", map[string]string{".gitlab-ci.yml": "run: {script: r, rules: [{if: $FROM}]}"})
	above := y.project("above", map[string]string{".gitlab-ci.yml": `
go: {variables: {FROM: $CI_PROJECT_PATH}, trigger: {project: alice/below, strategy: mirror}}
self: {trigger: alice/above}
gone: {trigger: alice/gone}
branch: {trigger: {project: alice/below, branch: gone}}
`})
	require.Equal(t, "failed(go running, self failed invalid_bridge_trigger, "+
		"gone failed downstream_bridge_project_not_found, branch failed downstream_pipeline_creation_failed)",
		strings.Replace(y.states(above), "running(go", "failed(go", 1))
	require.Equal(t, []string{"pipeline main pending: run"}, y.pipelines(below))
	y.end(below, "run", ci.Outcome{Reason: "script_failure"})
	require.Contains(t, y.states(above), "failed(go failed unknown_failure,")

	bob := y.User(t, "bob")
	y.ok("POST", below+"/members", map[string]any{"user_id": bob.ID, "access_level": 20})
	y.ok("POST", above+"/members", map[string]any{"user_id": bob.ID, "access_level": 40})
	r := y.Do(t, bob.Token, "POST", above+"/pipeline", map[string]any{"ref": "main"})
	require.Equal(t, 201, r.Status, "%s", r.Body)
	require.Contains(t, y.states(above), "(go failed insufficient_bridge_permissions,")
}

func TestMergeRequestPipelines(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{".gitlab-ci.yml": `
a: {script: a}
m: {script: m, rules: [{if: $CI_MERGE_REQUEST_IID, changes: [only/*]}]}
`})
	y.commit(p, "topic", "Change", map[string]string{"only/x": "1"})
	y.ok("POST", p+"/merge_requests",
		map[string]any{"source_branch": "topic", "target_branch": "main", "title": "Topic"})
	// The pipelines of the branch and of the request are made by two jobs, in any order.
	require.ElementsMatch(t, []string{
		"push main pending: a", "push topic pending: a", "merge_request_event refs/merge-requests/1/head pending: m",
	}, y.pipelines(p))
	head := func() (source string) {
		source, err := db.Value[string](t.Context(), y.Store, `
			select l.source || ' ' || (l.commit_oid = m.head_oid) from merge_requests m
			join pipelines l on l.id = m.head_pipeline_id`, nil)
		require.NoError(t, err)
		return source
	}
	require.Equal(t, "merge_request_event true", head())
	y.commit(p, "topic", "Change again", map[string]string{"only/y": "1"})
	require.ElementsMatch(t, []string{
		"push main pending: a", "push topic canceled: a", "merge_request_event refs/merge-requests/1/head canceled: m",
		"push topic pending: a", "merge_request_event refs/merge-requests/1/head pending: m",
	}, y.pipelines(p))
	require.Equal(t, "merge_request_event true", head())
	var made struct{ Ref, SHA string }
	y.ok("POST", p+"/merge_requests/1/pipelines", nil).Into(t, &made)
	require.Equal(t, "refs/merge-requests/1/head", made.Ref)

	y.ok("PUT", p, map[string]any{"merge_pipelines_enabled": true})
	y.ok("POST", p+"/merge_requests/1/pipelines", nil).Into(t, &made)
	require.Equal(t, "refs/merge-requests/1/merge", made.Ref)
	y.Drain(t)
	y.ok("PUT", p+"/merge_requests/1", map[string]any{"title": "Draft: Topic"})
	y.ok("POST", p+"/merge_requests/1/pipelines", nil).Into(t, &made)
	require.Equal(t, "refs/merge-requests/1/head", made.Ref)
	y.ok("PUT", p+"/merge_requests/1", map[string]any{"state_event": "close"})
	require.Equal(t, 405, y.Do(t, y.by.Token, "POST", p+"/merge_requests/1/pipelines", nil).Status)
}

// A pipeline of a merge request from a fork runs in the target project for those who may start
// pipelines there, and in the fork for others.
func TestForkPipelines(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{
		".gitlab-ci.yml": "m: {script: m, rules: [{if: $CI_MERGE_REQUEST_IID}]}",
	}, "visibility", "public")
	bob := y.User(t, "bob")
	var fork struct{ ID int64 }
	r := y.Do(t, bob.Token, "POST", p+"/fork", nil)
	require.Equal(t, 201, r.Status, "%s", r.Body)
	r.Into(t, &fork)
	y.Drain(t)
	forked := fmt.Sprintf("/projects/%d", fork.ID)
	bobs := y
	bobs.by = bob
	bobs.commit(forked, "topic", "Change", map[string]string{"x": "1"})
	var target struct{ ID int64 }
	y.ok("GET", p, nil).Into(t, &target)
	bobs.ok("POST", forked+"/merge_requests", map[string]any{
		"source_branch": "topic", "target_branch": "main", "title": "Topic", "target_project_id": target.ID,
	})
	require.Empty(t, y.pipelines(p), "bob may not run pipelines there")
	require.Equal(t, []string{"merge_request_event topic pending: m"}, y.pipelines(forked))
	y.ok("POST", p+"/merge_requests/1/pipelines", nil)
	require.Equal(t, []string{"merge_request_event refs/merge-requests/1/head pending: m"}, y.pipelines(p))
}
