package api_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/db"
)

// An environment has the address of the last deployment, with the variables in it replaced. The job
// that stops it takes the rights that its branch takes, also by way of the environment.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{".gitlab-ci.yml": `
deploy:
  script: deploy
  environment: {name: review/$CI_COMMIT_REF_SLUG, url: "https://$CI_ENVIRONMENT_SLUG.example.com", on_stop: stop}
stop:
  script: stop
  when: manual
  environment: {name: review/$CI_COMMIT_REF_SLUG, action: stop}
odd:
  script: odd
  environment: {name: odd, url: "javascript:alert(1)"}
`})
	y.Drain(t)
	y.end(p, "deploy", ci.Outcome{Success: true})
	y.end(p, "odd", ci.Outcome{Success: true})
	var list []struct {
		ID    int64
		Name  string
		URL   *string `json:"external_url"`
		State string
	}
	y.ok("GET", p+"/environments", nil).Into(t, &list)
	require.Len(t, list, 2)
	odd, review := list[0], list[1] // in the order of their names
	require.Equal(t, "review/main", review.Name)
	require.Regexp(t, `^https://review-main-[0-9a-f]{6}\.example\.com$`, *review.URL)
	require.Nil(t, odd.URL, "no page links to it")

	dave := y.User(t, "dave")
	y.ok("POST", p+"/members", map[string]any{"user_id": dave.ID, "access_level": 30})
	stop := fmt.Sprintf("%s/environments/%d/stop", p, review.ID)
	require.Equal(t, 403, y.Do(t, dave.Token, "POST", stop, nil).Status, "main is protected from developers")
	y.ok("POST", stop, nil)
	y.end(p, "stop", ci.Outcome{Success: true})
	y.ok("GET", p+"/environments", nil).Into(t, &list)
	require.Equal(t, ci.Stopped, list[1].State)
}

// A pipeline that is removed gives the resource group of its jobs to those that wait, and takes its
// hidden ref along.
func TestRemovedPipelineReleases(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{".gitlab-ci.yml": "a: {script: a, resource_group: one}"})
	y.ok("POST", p+"/pipeline", map[string]any{"ref": "main"})
	require.Equal(t, "pending(a pending) waiting_for_resource(a waiting_for_resource)", y.states(p))
	var list []struct{ ID int64 }
	y.ok("GET", p+"/pipelines?sort=asc", nil).Into(t, &list)
	y.ok("DELETE", fmt.Sprintf("%s/pipelines/%d", p, list[0].ID), nil)
	require.Equal(t, "pending(a pending)", y.states(p))
	refs, err := db.Value[int](t.Context(), y.Store, `
		select count(*) from refs where name = @name`, map[string]any{"name": fmt.Sprint("refs/pipelines/", list[0].ID)})
	require.NoError(t, err)
	require.Zero(t, refs)
}

// A bridge shows the pipeline that it started only to those who may read it.
func TestDownstreamIsHidden(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	below := y.project("below", map[string]string{".gitlab-ci.yml": "run: {script: r}"})
	above := y.project("above", map[string]string{".gitlab-ci.yml": "go: {trigger: alice/below}"},
		"visibility", "public")
	y.Drain(t)
	var list []struct{ ID int64 }
	y.ok("GET", above+"/pipelines", nil).Into(t, &list)
	shown := func(token string) bool {
		t.Helper()
		var bridges []struct {
			Downstream *struct{ ID int64 } `json:"downstream_pipeline"`
		}
		r := y.Do(t, token, "GET", fmt.Sprintf("%s/pipelines/%d/bridges", above, list[0].ID), nil)
		require.Equal(t, 200, r.Status)
		r.Into(t, &bridges)
		require.Len(t, bridges, 1)
		return bridges[0].Downstream != nil
	}
	bob := y.User(t, "bob")
	require.True(t, shown(y.by.Token))
	require.False(t, shown(""))
	require.False(t, shown(bob.Token))
	y.ok("POST", below+"/members", map[string]any{"user_id": bob.ID, "access_level": 20})
	require.True(t, shown(bob.Token))
}
