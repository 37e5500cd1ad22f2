package hook_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/servertest"
	"hew/server/setting"
)

// pushBody is what the test looks at in a delivery.
type pushBody struct {
	Kind        string  `json:"object_kind"`
	Ref         string  `json:"ref"`
	Before      string  `json:"before"`
	After       string  `json:"after"`
	CheckoutSHA *string `json:"checkout_sha"`
	Message     *string `json:"message"`
	Protected   bool    `json:"ref_protected"`
	Username    string  `json:"user_username"`
	Commits     []struct {
		Title, URL               string
		Added, Modified, Removed []string
	} `json:"commits"`
	Total   int             `json:"total_commits_count"`
	Options json.RawMessage `json:"push_options"`
	Project struct {
		Path string `json:"path_with_namespace"`
	} `json:"project"`
}

func TestPushEvents(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	require.NoError(t, setting.Set(t.Context(), s.Store, "allow_local_requests_from_web_hooks_and_services", true))
	var mu sync.Mutex
	var got []pushBody
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var b pushBody
		if err := json.NewDecoder(r.Body).Decode(&b); err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		got = append(got, b)
	}))
	t.Cleanup(receiver.Close)
	alice := s.User(t, "alice")
	var p servertest.Made
	s.Do(t, alice.Token, "POST", "/projects", map[string]any{"name": "site"}).Into(t, &p)
	project := fmt.Sprintf("/projects/%d", p.ID)
	require.Equal(t, 201, s.Do(t, alice.Token, "POST", project+"/hooks", map[string]any{
		"url": receiver.URL, "push_events": true, "tag_push_events": true, "branch_filter_strategy": "wildcard",
		"push_events_branch_filter": "ma*",
	}).Status)
	deliveries := func() []pushBody {
		t.Helper()
		s.Drain(t)
		mu.Lock()
		defer mu.Unlock()
		defer func() { got = nil }()
		return got
	}
	do := func(method, path string, body any) {
		t.Helper()
		reply := s.Do(t, alice.Token, method, project+"/repository/"+path, body)
		require.Less(t, reply.Status, 300, "%s", reply.Body)
	}

	do("POST", "files/a", map[string]any{"branch": "main", "commit_message": "First", "content": "1"})
	first := deliveries()
	require.Len(t, first, 1)
	require.Equal(t, []any{"push", "refs/heads/main", zeros, true, "alice", p.Path, 1, []string{"a"}, []string{}},
		[]any{first[0].Kind, first[0].Ref, first[0].Before, first[0].Protected, first[0].Username,
			first[0].Project.Path, first[0].Total, first[0].Commits[0].Added, first[0].Commits[0].Modified})
	require.Equal(t, s.Server.URL()+"/"+p.Path+"/-/commit/"+first[0].After, first[0].Commits[0].URL)

	do("POST", "branches", map[string]any{"branch": "other", "ref": "main"})
	require.Empty(t, deliveries(), "the filter leaves the branch out")
	do("POST", "tags", map[string]any{"tag_name": "v1", "ref": "main", "message": "One"})
	tag := deliveries()
	require.Len(t, tag, 1)
	require.Equal(t, []any{"tag_push", "refs/tags/v1", "One\n", first[0].After, 0},
		[]any{tag[0].Kind, tag[0].Ref, *tag[0].Message, *tag[0].CheckoutSHA, tag[0].Total})
	do("DELETE", "tags/v1", nil)
	gone := deliveries()
	require.Len(t, gone, 1)
	require.Equal(t, zeros, gone[0].After)
	require.Nil(t, gone[0].CheckoutSHA)

	git := gittest.NewClient(t).Git
	git("init", "-q")
	git("remote", "add", "origin", strings.Replace(s.Server.URL(), "://", "://any:"+alice.Token+"@", 1)+"/"+p.Path+".git")
	git("fetch", "-q", "origin", "main")
	git("checkout", "-q", "-B", "main", "FETCH_HEAD")
	for i := range 25 {
		git("commit", "-q", "--allow-empty", "-m", fmt.Sprint("Commit ", i))
	}
	require.JSONEq(t, `{}`, string(first[0].Options))
	git("push", "-q", "-o", "ci.skip", "-o", "ci.variable=A=1", "-o", "a=b", "origin", "main", "main:elsewhere")
	many := deliveries()
	require.Len(t, many, 1)
	require.Equal(t, 25, many[0].Total)
	require.JSONEq(t, `{"ci": {"skip": true, "variable": {"A=1": 1}}}`, string(many[0].Options))
	require.Len(t, many[0].Commits, 20)
	require.Equal(t, "Commit 5", many[0].Commits[0].Title)
	require.Equal(t, "Commit 24", many[0].Commits[19].Title)
	git("push", "-q", "origin", "main:ma1", "main:ma2", "main:ma3", "main:ma4")
	require.Empty(t, deliveries(), "more refs than push_event_hooks_limit")
	git("push", "-q", "origin", ":ma1", ":ma2", ":ma3")
	require.Len(t, deliveries(), 3)
	require.NoError(t, setting.Set(t.Context(), s.Store, "push_event_hooks_limit", 0))
	git("push", "-q", "origin", ":ma4")
	require.Empty(t, deliveries(), "a limit of 0 lets none through")
}
