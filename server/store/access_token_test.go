package store_test

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/fault"
	"hew/server/store"
)

// bot makes a bot that nobody has touched for some days, with a token of a container.
func (w world) bot(name string, idle int, c store.Container, expires store.Date, revoked bool) (store.User, store.Token) {
	w.t.Helper()
	u := store.NewUser(name, name, name+"@noreply.invalid")
	u.Bot = true
	u, err := w.CreateUser(w.t.Context(), u)
	require.NoError(w.t, err)
	digest, level := sha256.Sum256([]byte(name)), 30
	token, err := w.CreateToken(w.t.Context(), store.Token{
		UserID: u.ID, Container: c, AccessLevel: &level, Name: name, Scopes: []string{"api"}, Digest: digest[:],
		ExpiresAt: &expires, Revoked: revoked,
	})
	require.NoError(w.t, err)
	texts(w.t, w.Store, fmt.Sprintf(`update users set updated_at = now() - interval '%d days' where id = %d returning name`, idle, u.ID))
	return u, token
}

// A bot goes a month after its token; people and bots that are of use stay.
func TestRemoveIdleBots(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	alice := w.user("alice")
	texts(t, w.Store, `update users set updated_at = now() - interval '1 year' returning name`)
	c := w.group("acme", nil, alice.ID).Container()
	today := store.Today()
	w.bot("at-work", 300, c, today.Add(10), false)
	w.bot("expired-lately", 300, c, today.Add(-29), false)
	w.bot("expired", 300, c, today.Add(-30), false)
	w.bot("revoked-lately", 29, c, today.Add(10), true)
	w.bot("revoked", 31, c, today.Add(10), true)

	n, err := w.RemoveIdleBots(ctx)
	require.NoError(t, err)
	require.EqualValues(t, 2, n)
	require.Equal(t, []string{"alice", "at-work", "expired-lately", "revoked-lately"},
		texts(t, w.Store, `select username from users where id <> 1 order by username`))
}

// A bot is a member of nothing once its token has expired, also where it made itself the owner without any expiry.
func TestExpiredBotsAreMembersOfNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	c := w.group("acme", nil, 0).Container()
	today := store.Today()
	expired, _ := w.bot("expired", 0, c, today, false)
	good, _ := w.bot("good", 0, c, today.Add(1), false)
	made, kept := w.group("made", nil, expired.ID), w.group("kept", nil, good.ID)

	gone, err := w.RemoveExpired(ctx)
	require.NoError(t, err)
	require.Len(t, gone, 1)
	require.Equal(t, []any{expired.ID, made.ID}, []any{gone[0].UserID, *gone[0].NamespaceID})
	_, err = w.Member(ctx, store.InGroup(kept), good.ID)
	require.NoError(t, err)

	gone, err = w.RemoveMembersOf(ctx, good.ID)
	require.NoError(t, err)
	require.Len(t, gone, 1)
}

// A token is found in its own group or project, and goes with it.
func TestAccessTokenIsOfOneContainer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	alice := w.user("alice")
	acme, other := w.group("acme", nil, alice.ID), w.group("other", nil, alice.ID)
	site := w.project("site", acme.ID, alice.ID)
	_, token := w.bot("bot", 0, site.Container(), store.Today().Add(1), false)

	found, err := w.AccessToken(ctx, site.Container(), token.ID)
	require.NoError(t, err)
	require.Equal(t, token, found)
	for _, c := range []store.Container{acme.Container(), other.Container(), w.project("shop", acme.ID, alice.ID).Container()} {
		_, err := w.AccessToken(ctx, c, token.ID)
		require.Equal(t, fault.CodeNotFound, fault.CodeOf(err), "%s", c)
	}
	list, total, err := w.Tokens(ctx, store.TokenFilter{In: site.Container()}, store.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, []store.Token{token}, list)
	require.Equal(t, 1, total)

	require.NoError(t, w.RemoveProject(ctx, site.ID))
	_, err = w.Token(ctx, token.ID)
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
}
