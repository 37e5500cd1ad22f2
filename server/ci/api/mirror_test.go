package api_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/db"
	"hew/server/servertest"
)

// A bridge that needs the pipeline of another project has the state of its last one, whatever
// becomes of that.
func TestMirroredPipeline(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	below := y.project("below", map[string]string{".gitlab-ci.yml": "run: {script: r}"})
	y.Drain(t)
	above := y.project("above", map[string]string{".gitlab-ci.yml": `
follow: {needs: {pipeline: alice/below}}
gone: {needs: {pipeline: alice/gone}, allow_failure: true}
`})
	const gone = ", gone failed upstream_bridge_project_not_found)"
	require.Equal(t, "running(follow running"+gone, y.states(above))
	y.end(below, "run", ci.Outcome{Reason: "script_failure"})
	require.Equal(t, "failed(follow failed unknown_failure"+gone, y.states(above))
	var list []struct{ ID int64 }
	y.ok("GET", below+"/pipelines", nil).Into(t, &list)
	y.ok("POST", fmt.Sprintf("%s/pipelines/%d/retry", below, list[0].ID), nil)
	require.Equal(t, "running(follow running"+gone, y.states(above))
	y.end(below, "run", ci.Outcome{Success: true})
	require.Equal(t, "success(follow success"+gone, y.states(above))

	bob := y.User(t, "bob")
	y.ok("POST", above+"/members", map[string]any{"user_id": bob.ID, "access_level": 40})
	require.Equal(t, 201, y.Do(t, bob.Token, "POST", above+"/pipeline", map[string]any{"ref": "main"}).Status)
	require.Contains(t, y.states(above), "failed(follow failed upstream_bridge_project_not_found")
}

// Pipelines that came from the same one are at most as many as the plan allows.
func TestHierarchySize(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	r := y.Do(t, servertest.RootToken, "PUT", "/application/plan_limits",
		map[string]any{"plan_name": "default", "pipeline_hierarchy_size": 2})
	require.Equal(t, 200, r.Status, "%s", r.Body)
	p := y.project("site", map[string]string{
		".gitlab-ci.yml": "stages: [a, b]\na: {stage: a, trigger: {include: child.yml}}\n" +
			"b: {stage: b, trigger: {include: child.yml}}",
		"child.yml": "run: {script: r}",
	})
	require.Equal(t, "failed(a success, b failed reached_max_pipeline_hierarchy_size) pending(run pending)", y.states(p))
}

// In a strict mode the jobs of a resource group wait for the one that is first, which may not be
// able to start yet.
func TestStrictResourceGroups(t *testing.T) {
	t.Parallel()
	for mode, first := range map[string]string{
		"unordered": "new", "oldest_first": "none", "newest_first": "new", "newest_ready_first": "new",
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			y := newYard(t)
			p := y.project("site", map[string]string{".gitlab-ci.yml": `
stages: [a, b]
build: {stage: a, script: b}
deploy: {stage: b, script: d, resource_group: prod}
`})
			y.Drain(t)
			y.ok("PUT", p+"/resource_groups/prod", map[string]any{"process_mode": mode})
			y.ok("POST", p+"/pipeline", map[string]any{"ref": "main"})
			y.end(p, "build", ci.Outcome{Success: true}) // of the newer pipeline
			want := map[string]string{"new": "pending", "none": "waiting_for_resource"}[first]
			require.Contains(t, y.states(p), "(build success, deploy "+want+")")
			if first == "none" {
				y.end(p, "build", ci.Outcome{Reason: "script_failure"}) // the older deploy is skipped
				require.Contains(t, y.states(p), "(build success, deploy pending)")
			}
		})
	}
}

// The definitions of jobs go with the last job that has them.
func TestSweptDefinitions(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{".gitlab-ci.yml": "a: {script: a}\nb: {script: b}"})
	y.Drain(t)
	y.commit(p, "main", "Change", map[string]string{".gitlab-ci.yml": "a: {script: a}\nc: {script: c}"})
	y.Drain(t)
	kept := func() (n int) {
		t.Helper()
		n, err := db.Value[int](t.Context(), y.Store, `select count(*) from job_definitions`, nil)
		require.NoError(t, err)
		return n
	}
	require.Equal(t, 3, kept())
	var list []struct{ ID int64 }
	y.ok("GET", p+"/pipelines", nil).Into(t, &list)
	require.Len(t, list, 2)
	for n, left := range []int{2, 0} {
		y.ok("DELETE", fmt.Sprintf("%s/pipelines/%d", p, list[n].ID), nil)
		y.Drain(t)
		require.Equal(t, left, kept())
	}
}

// A rebase that is to skip CI makes a pipeline without jobs.
func TestRebaseSkipsCI(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{".gitlab-ci.yml": "a: {script: a}"})
	y.commit(p, "topic", "Change", map[string]string{"x": "1"})
	y.ok("POST", p+"/merge_requests",
		map[string]any{"source_branch": "topic", "target_branch": "main", "title": "Topic"})
	for n, skip := range []bool{true, false} {
		y.commit(p, "main", "Other", map[string]string{"y": fmt.Sprint(n)})
		y.Drain(t)
		y.ok("PUT", p+"/merge_requests/1/rebase", map[string]any{"skip_ci": skip})
		list := y.pipelines(p)
		want := map[bool]string{true: "push topic skipped:", false: "push topic pending: a"}[skip]
		require.Equal(t, want, list[len(list)-1])
	}
}
