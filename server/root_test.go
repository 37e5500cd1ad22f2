package server_test

import (
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/db"
	"hew/server/people"
	"hew/server/secret"
	"hew/server/servertest"
)

// TestRootToken starts on a database in which a token is stored already.
func TestRootToken(t *testing.T) {
	t.Parallel()
	yesterday := db.Today().Add(-1)
	const named = "hewd root token"
	tests := map[string]struct {
		stored    people.Token // root's
		foreign   bool         // it is mallory's
		plain     string       // of the stored token
		wanted    string
		refused   string
		revoked   bool // whether the stored token is afterwards
		announced bool // in the log
	}{
		"revoked": {
			stored: people.Token{Name: named, Revoked: true}, plain: "t-1", wanted: "t-1", revoked: true,
			refused: "the token in HEWD_ROOT_TOKEN or --root-token was revoked, so root cannot sign in with it; " +
				"set it to a new token, or to one of root that is active",
		},
		"revoked under another name": {
			stored: people.Token{Name: "ci", Revoked: true}, plain: "t-1", wanted: "t-1", revoked: true,
			refused: "was revoked",
		},
		"expired": {
			stored: people.Token{Name: named, ExpiresAt: &yesterday}, plain: "t-1", wanted: "t-1",
			refused: "expired on " + yesterday.String(),
		},
		"of somebody else": {
			stored: people.Token{Name: named}, foreign: true, plain: "t-1", wanted: "t-1",
			refused: "belongs to the user mallory",
		},
		"kept": {stored: people.Token{Name: named}, plain: "t-1", wanted: "t-1"},
		"replaced": {
			stored: people.Token{Name: named}, plain: "t-1", wanted: "t-2", revoked: true, announced: true,
		},
		"not wanted":              {stored: people.Token{Name: named}, plain: "t-1"},
		"a similar name":          {stored: people.Token{Name: "my " + named + " 2"}, plain: "t-1", wanted: "t-2"},
		"another case":            {stored: people.Token{Name: "Hewd Root Token"}, plain: "t-1", wanted: "t-2"},
		"the name, not root's":    {stored: people.Token{Name: named}, foreign: true, plain: "t-1", wanted: "t-2"},
		"another token of root's": {stored: people.Token{Name: "ci"}, plain: "t-1", wanted: "t-1"},
	}
	s := servertest.Fresh(t)
	mallory := s.User(t, "mallory")
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, s.Store.Exec(t.Context(),
				`delete from personal_access_tokens`, nil))
			digest := secret.Digest(c.plain)
			c.stored.Digest, c.stored.Scopes = digest[:], []string{"api"}
			if c.stored.UserID = 1; c.foreign {
				c.stored.UserID = mallory.ID
			}
			stored, err := people.InsertToken(t.Context(), s.Store, c.stored)
			require.NoError(t, err)

			var log lines
			token, err := server.EnsureRoot(t.Context(), s.Store, c.wanted, slog.New(slog.NewTextHandler(&log, nil)))
			if c.refused == "" {
				require.NoError(t, err)
				require.Equal(t, c.wanted, token)
			} else {
				require.ErrorContains(t, err, c.refused)
			}
			stored, err = people.FindToken(t.Context(), s.Store, stored.ID)
			require.NoError(t, err)
			require.Equal(t, c.revoked, stored.Revoked)
			if c.announced {
				require.Contains(t, log.String(), "the token of root before it is revoked")
				require.NotContains(t, log.String(), c.plain)
			} else {
				require.Empty(t, log.String())
			}
		})
	}
}

// TestRootActsAsAnybody: the operator's token has the scope sudo, one of an earlier hewd too.
func TestRootActsAsAnybody(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	s.User(t, "sue")
	asSue := func() int { return s.Do(t, s.RootToken, "GET", "/user?sudo=sue", nil).Status }
	require.Equal(t, http.StatusOK, asSue())
	require.NoError(t, s.Store.Exec(t.Context(),
		`update personal_access_tokens set scopes = '{api,admin_mode}' where user_id = 1`, nil))
	require.NoError(t, s.Store.UserChanged(t.Context(), 1))
	require.Eventually(t, func() bool { return asSue() == http.StatusForbidden }, time.Minute, time.Millisecond)
	_, err := server.EnsureRoot(t.Context(), s.Store, s.RootToken, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return asSue() == http.StatusOK }, time.Minute, time.Millisecond)
}
