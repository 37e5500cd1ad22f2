package api_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/servertest"
)

// Systems that report of one commit at once share a pipeline, and none of their words is lost.
func TestStatusesAtOnce(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann := s.User(t, "statusesatonce")
	made, commit := struct{ ID int64 }{}, struct{ ID string }{}
	s.Do(t, ann.Token, "POST", "/projects", map[string]any{"name": "site"}).Into(t, &made)
	path := fmt.Sprint("/projects/", made.ID)
	s.Do(t, ann.Token, "POST", path+"/repository/commits", map[string]any{
		"branch": "main", "commit_message": "Begin", "actions": []any{map[string]any{
			"action": "create", "file_path": "a", "content": "a",
		}},
	}).Into(t, &commit)
	var group sync.WaitGroup
	for n := range 8 {
		group.Go(func() {
			for _, state := range []string{"pending", "running", "success"} {
				r := s.Do(t, ann.Token, "POST", path+"/statuses/"+commit.ID, map[string]any{
					"state": state, "name": fmt.Sprint("check ", n),
				})
				if r.Status != 201 {
					t.Errorf("%s of check %d: %d %s", state, n, r.Status, r.Body)
				}
			}
		})
	}
	group.Wait()
	var pipelines []struct{ Status string }
	s.Do(t, ann.Token, "GET", path+"/pipelines", nil).Into(t, &pipelines)
	require.Len(t, pipelines, 1)
	require.Equal(t, "success", pipelines[0].Status)
	var statuses []struct{ Name string }
	s.Do(t, ann.Token, "GET", path+"/repository/commits/main/statuses?per_page=100", nil).Into(t, &statuses)
	require.Len(t, statuses, 8)
}

// A status does not take the place of a job of the definition, and a pipeline that changed since
// the caller saw it is not deleted.
func TestNamesAndDeletion(t *testing.T) {
	t.Parallel()
	s := newSite(t, ci.Pipeline{}, job("build", 1))
	err := func() error {
		_, err := ci.ReportStatus(t.Context(), s.Store, ci.ExternalStatus{
			ProjectID: s.id, Commit: s.pipeline.Commit, Ref: "topic", Name: "build", State: "success",
		}, s.user(t), func(ci.Pipeline) error { return nil })
		return err
	}()
	require.ErrorContains(t, err, "has already been taken")

	r, err := http.NewRequestWithContext(t.Context(), "DELETE",
		fmt.Sprintf("%s%s/pipelines/%d", s.URL, s.path, s.pipeline.ID), nil)
	require.NoError(t, err)
	r.Header.Set("PRIVATE-TOKEN", s.owner.Token)
	r.Header.Set("If-Unmodified-Since", "Sat, 01 Jan 2000 00:00:00 GMT")
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusPreconditionFailed, resp.StatusCode)
}

// The jobs of projects are listed so often a minute, by each user and each address.
func TestJobsLimit(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	ann := s.User(t, "ann")
	made := struct{ ID int64 }{}
	s.Do(t, ann.Token, "POST", "/projects", map[string]any{"name": "site", "visibility": "public"}).Into(t, &made)
	s.Do(t, s.RootToken, "PUT", "/application/settings", map[string]any{"project_jobs_api_rate_limit": 1})
	path := fmt.Sprintf("/projects/%d/jobs", made.ID)
	for _, token := range []string{ann.Token, ""} {
		require.Equal(t, 200, s.Do(t, token, "GET", path, nil).Status)
		r := s.Do(t, token, "GET", path, nil)
		require.Equal(t, 429, r.Status)
		require.NotEmpty(t, r.Header.Get("Retry-After"))
	}
}
