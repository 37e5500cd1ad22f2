package api_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/auth"
	"hew/server/code"
	"hew/server/code/api"
	"hew/server/db"
	"hew/server/tree"
)

// What a guard found before the upload of a push is checked again under its first lock.
func TestPushIsCheckedUnderTheLock(t *testing.T) {
	t.Parallel()
	h := newHost(t, "pushlock")
	pusher := h.s.User(t, "pushlockpusher")
	project := fmt.Sprintf("/projects/%d", h.project.ID)
	member := fmt.Sprintf("%s/members/%d", project, pusher.ID)
	do := func(method, path string, body any) {
		t.Helper()
		reply := h.s.Do(t, h.user.Token, method, path, body)
		require.Less(t, reply.Status, 300, string(reply.Body))
	}
	user, err := tree.FindUser(t.Context(), h.s.Store, pusher.ID)
	require.NoError(t, err)
	caller := auth.Caller{User: user}
	caller.Token.Scopes = []string{"api"}

	r := httptest.NewRequest("POST", "/", nil)
	r.SetPathValue("repository", h.project.Path)
	push := func(ctx context.Context) error { _, err := api.PushGuard.Open(ctx, r); return err }
	pushWiki := func(ctx context.Context) error { _, err := api.PushWikiGuard.Open(ctx, r); return err }
	fetch := func(ctx context.Context) error { _, err := api.FetchGuard.Open(ctx, r); return err }
	// open runs a guard and returns what its request does under its first lock.
	open := func(guard func(context.Context) error) func() error {
		t.Helper()
		st := h.s.Store.Lend()
		require.NoError(t, guard(auth.With(db.With(t.Context(), st), caller)))
		return func() error { return st.Locked(t.Context()) }
	}
	refused := func(locked func() error, text string) {
		t.Helper()
		var r code.Refused
		require.ErrorAs(t, locked(), &r)
		require.Contains(t, r.Text, text)
	}

	do("POST", project+"/members", map[string]any{"user_id": pusher.ID, "access_level": 30})
	require.NoError(t, open(push)(), "nothing changed")
	source, wiki, fetched := open(push), open(pushWiki), open(fetch)
	do("POST", project+"/archive", nil)
	refused(source, "the project is archived")
	refused(wiki, "the project is archived")
	require.NoError(t, fetched(), "a fetch needs no lock")
	do("POST", project+"/unarchive", nil)

	source = open(push)
	do("PUT", member, map[string]any{"access_level": 40})
	refused(source, "Your access to "+h.project.Path+" changed during the push. Push again.")
	source, wiki = open(push), open(pushWiki)
	do("PUT", member, map[string]any{"access_level": 20})
	refused(source, "You are not allowed to push code to this project.")
	refused(wiki, "You are not allowed to write to this project's wiki.")
	do("PUT", member, map[string]any{"access_level": 30})
	source, wiki = open(push), open(pushWiki)
	do("DELETE", member, nil)
	refused(source, "Project not found, or the token may not see it.")
	refused(wiki, "Project not found, or the token may not see it.")
}
