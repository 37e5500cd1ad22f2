package group_test

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/people"
	"hew/server/tree"
)

// bot creates a bot that was unused for some days, with a token of a container.
func (w world) bot(name string, idle int, c db.Container, expires db.Date, revoked bool) (tree.User, people.Token) {
	w.t.Helper()
	u := tree.NewUser(name, name, name+"@noreply.invalid")
	u.Bot = true
	u, err := tree.CreateUser(w.t.Context(), w.Store, u)
	require.NoError(w.t, err)
	digest, level := sha256.Sum256([]byte(name)), 30
	token, err := people.InsertToken(w.t.Context(), w.Store, people.Token{
		UserID: u.ID, Container: c, AccessLevel: &level, Name: name, Scopes: []string{"api"}, Digest: digest[:],
		ExpiresAt: &expires, Revoked: revoked,
	})
	require.NoError(w.t, err)
	w.texts(fmt.Sprintf(`update users set updated_at = now() - interval '%d days'
		where id = %d returning name`, idle, u.ID))
	return u, token
}

// A bot goes a month after its token; people and bots that are of use stay.
func TestRemoveIdleBots(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	alice := w.User("alice")
	_, err := people.AlertBot(ctx, w.Store) // has no token, and is the author of issues
	require.NoError(t, err)
	w.texts(`update users set updated_at = now() - interval '1 year' returning name`)
	c := w.Group("acme", nil, alice.ID).Container()
	today := db.Today()
	w.bot("at-work", 300, c, today.Add(10), false)
	w.bot("expired-lately", 300, c, today.Add(-29), false)
	w.bot("expired", 300, c, today.Add(-30), false)
	w.bot("revoked-lately", 29, c, today.Add(10), true)
	w.bot("revoked", 31, c, today.Add(10), true)

	n, err := group.RemoveIdleBots(ctx, w.Store)
	require.NoError(t, err)
	require.EqualValues(t, 2, n)
	require.Equal(t, []string{"alert-bot", "alice", "at-work", "expired-lately", "revoked-lately"},
		w.texts(`select username from users where id <> 1 order by username`))
}

// A bot is a member of nothing once its token has expired, also where it made itself the owner
// without any expiry.
func TestExpiredBotsAreMembersOfNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	c := w.Group("acme", nil, 0).Container()
	today := db.Today()
	expired, _ := w.bot("expired", 0, c, today, false)
	good, _ := w.bot("good", 0, c, today.Add(1), false)
	made, kept := w.Group("made", nil, expired.ID), w.Group("kept", nil, good.ID)

	gone, err := group.RemoveExpired(ctx, w.Store)
	require.NoError(t, err)
	require.Len(t, gone, 1)
	require.Equal(t, []any{expired.ID, made.ID}, []any{gone[0].UserID, *gone[0].NamespaceID})
	_, err = group.FindMember(ctx, w.Store, tree.InGroup(kept), good.ID)
	require.NoError(t, err)

	gone, err = group.RemoveMembersOf(ctx, w.Store, good.ID)
	require.NoError(t, err)
	require.Len(t, gone, 1)
}

// A token is found only in its own group or project, and is deleted with it.
func TestAccessTokenIsOfOneContainer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	alice := w.User("alice")
	acme, other := w.Group("acme", nil, alice.ID), w.Group("other", nil, alice.ID)
	site := w.Project("site", acme.ID, alice.ID)
	_, token := w.bot("bot", 0, site.Container(), db.Today().Add(1), false)

	found, err := group.FindAccessToken(ctx, w.Store, site.Container(), token.ID)
	require.NoError(t, err)
	require.Equal(t, token, found)
	for _, c := range []db.Container{acme.Container(), other.Container(),
		w.Project("shop", acme.ID, alice.ID).Container()} {
		_, err := group.FindAccessToken(ctx, w.Store, c, token.ID)
		require.Equal(t, fault.CodeNotFound, fault.CodeOf(err), "%s", c)
	}
	list, total, err := people.Tokens(ctx, w.Store, people.TokenFilter{In: site.Container()}, db.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, []people.Token{token}, list)
	require.Equal(t, 1, total)

	require.NoError(t, tree.RemoveProject(ctx, w.Store, site.ID))
	_, err = people.FindToken(ctx, w.Store, token.ID)
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
}
