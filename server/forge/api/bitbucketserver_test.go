package api_test

import (
	"fmt"
	"maps"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/forge/forgetest"
)

func bitbucketParams(h *forgetest.BitbucketServer, more map[string]any) map[string]any {
	params := map[string]any{
		"personal_access_token": h.Token, "forge_server_url": h.Base, "forge_server_username": "ann",
		"forge_server_project": "ACME", "forge_server_repo": "site",
	}
	maps.Copy(params, more)
	return params
}

func TestImportFromBitbucketServer(t *testing.T) {
	t.Parallel()
	sc, h := newScene(t), forgetest.NewBitbucketServer(t)
	sc.administrate()
	sc.s.User(t, "ann")
	reply := sc.s.Do(t, sc.user.Token, "POST", "/import/bitbucket_server", bitbucketParams(h, map[string]any{
		"new_name": "moved",
	}))
	require.Equal(t, 201, reply.Status, string(reply.Body))
	var made record
	reply.Into(t, &made)
	sc.s.Drain(t)
	at := fmt.Sprintf("/projects/%d", made.ID)
	var r record
	sc.get(at+"/import", &r)
	require.Equal(t, []any{"finished", "bitbucket_server", 0},
		[]any{r.ImportStatus, r.ImportType, len(r.FailedRelations)}, "%+v", r)
	require.Equal(t, map[string]int{"pull_request": 3, "activity": 11}, r.Stats.Imported)
	var p struct {
		Path       string `json:"path_with_namespace"`
		Visibility string
		Branch     string `json:"default_branch"`
	}
	sc.get(at, &p)
	require.Equal(t, []string{"carol/moved", "private", "main"}, []string{p.Path, p.Visibility, p.Branch})
	require.Equal(t, []string{"merged", "opened", "closed"}, sc.texts(at+"/merge_requests?sort=asc", "state"))
	require.Equal(t, []string{"feature", "feature", "bitbucket/fork/bob/feature"},
		sc.texts(at+"/merge_requests?sort=asc", "source_branch"))
	require.Equal(t, "*By Bob (bob@example.com)*\n\ntext", sc.texts(at+"/merge_requests?sort=asc", "description")[0])
	require.Equal(t, []string{
		"note 1", "*By Bob (bob@example.com)*\n\nnote 2", "> note 2\n\nnote 3", "approved this merge request",
	}, sc.texts(at+"/merge_requests/2/notes?sort=asc", "body"))
	var changes struct {
		Changes []struct {
			NewPath string `json:"new_path"`
		}
	}
	sc.get(at+"/merge_requests/3/changes", &changes)
	require.Len(t, changes.Changes, 1, "the commits of a fork come with the refs of pull requests")
}

// Why an import is refused at once, by the words of the public service.
func TestRefusedBitbucketServer(t *testing.T) {
	t.Parallel()
	sc, h := newScene(t), forgetest.NewBitbucketServer(t)
	for _, tt := range []struct {
		more   map[string]any
		fault  *forgetest.Fault
		status int
		body   string
	}{
		{map[string]any{"personal_access_token": "wrong"}, nil, 401,
			`{"error":"You don't have permissions to import this project"}`},
		{map[string]any{"forge_server_repo": "none"}, nil, 422, `{"errors":"Project ACME/none could not be found"}`},
		{map[string]any{"forge_server_url": "ftp://host"}, nil, 400,
			`{"errors":"Invalid URL: is blocked: Only allowed schemes are http, https"}`},
		{map[string]any{"target_namespace": "nowhere"}, nil, 422,
			`{"errors":"Namespace or group to import repository into does not exist."}`},
		{nil, &forgetest.Fault{Status: 200, Body: "<html>"}, 400, `{"errors":"Response is not valid JSON"}`},
		{nil, &forgetest.Fault{Status: 403, Body: `{"errors":[{"message":"No."}]}`}, 400, `{"errors":"Error 403: No."}`},
		{nil, &forgetest.Fault{Status: 429}, 429, `{"error":"Too Many Requests"}`},
	} {
		h.Set(func() { h.Fault = func(*http.Request) *forgetest.Fault { return tt.fault } })
		reply := sc.s.Do(t, sc.user.Token, "POST", "/import/forge_server", bitbucketParams(h, tt.more))
		require.Equal(t, tt.status, reply.Status, string(reply.Body))
		require.JSONEq(t, tt.body, string(reply.Body))
	}
}
