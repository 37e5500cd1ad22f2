package auth_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/auth"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/people"
	"hew/server/rest"
	"hew/server/secret"
	"hew/server/servertest"
	"hew/server/setting"
	"hew/server/tree"
)

func TestWhereATokenMayBe(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	alice := s.User(t, "where-alice")
	for name, set := range map[string]func(*http.Request){
		"PRIVATE-TOKEN": func(r *http.Request) { r.Header.Set("Private-Token", alice.Token) },
		"bearer":        func(r *http.Request) { r.Header.Set("Authorization", "bearer "+alice.Token) },
		"basic":         func(r *http.Request) { r.SetBasicAuth("whoever", alice.Token) },
		"private_token": func(r *http.Request) { r.URL.RawQuery = "private_token=" + alice.Token },
		"access_token":  func(r *http.Request) { r.URL.RawQuery = "access_token=" + alice.Token },
	} {
		r := httptest.NewRequest("GET", "/", nil)
		set(r)
		ctx, err := s.Auth.Authenticate(t.Context(), r)
		require.NoError(t, err, name)
		require.Equal(t, alice.ID, auth.From(ctx).ID(), name)
	}
	form := httptest.NewRequest("POST", "/", strings.NewReader("private_token="+alice.Token))
	form.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	ctx, err := s.Auth.Authenticate(t.Context(), form)
	require.NoError(t, err)
	require.Equal(t, alice.ID, auth.From(ctx).ID())

	ctx, err = s.Auth.Authenticate(t.Context(), httptest.NewRequest("GET", "/", nil))
	require.NoError(t, err)
	require.False(t, auth.From(ctx).Signed())
}

// as authenticates with a token.
func as(ctx context.Context, a *auth.Auth, token string) error {
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Private-Token", token)
	_, err := a.Authenticate(ctx, r)
	return err
}

// A cached caller must not outlive a change of the user.
func TestChangesCountAtOnce(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ctx := t.Context()
	alice := s.User(t, "changes-alice")
	require.NoError(t, as(ctx, s.Auth, alice.Token))

	// Not before the commit, and not after a rollback.
	require.Error(t, s.Store.Tx(ctx, func(st *db.Store) error {
		_, err := tree.SetUserState(ctx, st, alice.ID, "blocked", "active")
		require.NoError(t, err)
		return context.Canceled
	}))
	require.NoError(t, as(ctx, s.Auth, alice.Token))

	_, err := tree.SetUserState(ctx, s.Store, alice.ID, "blocked", "active")
	require.NoError(t, err)
	require.Equal(t, fault.CodeForbidden, fault.CodeOf(as(ctx, s.Auth, alice.Token)))
	_, err = tree.SetUserState(ctx, s.Store, alice.ID, "active", "blocked")
	require.NoError(t, err)
	require.NoError(t, as(ctx, s.Auth, alice.Token))

	tokens, _, err := people.Tokens(ctx, s.Store, people.TokenFilter{UserID: &alice.ID}, db.Page{Limit: 1})
	require.NoError(t, err)
	_, err = people.MarkRevoked(ctx, s.Store, tokens[0])
	require.NoError(t, err)
	require.Equal(t, fault.CodeUnauthorized, fault.CodeOf(as(ctx, s.Auth, alice.Token)))
}

func TestExpiredToken(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	alice := s.User(t, "expired-alice")
	today, digest := db.Today(), secret.Digest("expired-token")
	_, err := people.InsertToken(t.Context(), s.Store, people.Token{
		UserID: alice.ID, Name: "old", Scopes: []string{"api"}, Digest: digest[:], ExpiresAt: &today,
	})
	require.NoError(t, err)
	f, ok := fault.From(as(t.Context(), s.Auth, "expired-token"))
	require.True(t, ok)
	require.Equal(t, fault.InvalidToken("Token is expired. You can either do re-authorization or token refresh."), f)
}

// With admin mode on, an administrator is one only through a token that says so.
func TestAdminMode(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	plain := s.Token(t, 1, "api")
	require.NoError(t, setting.Set(t.Context(), s.Store, "admin_mode", true))
	a := auth.New(s.Store, rest.Param) // one that has not yet asked
	for token, admin := range map[string]bool{plain: false, s.RootToken: true} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Private-Token", token)
		ctx, err := a.Authenticate(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, admin, auth.From(ctx).Admin())
	}
}

func TestPasswords(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long ", 20) // bcrypt alone would stop reading at 72 bytes
	digest, err := secret.HashPassword(long+"a", 8)
	require.NoError(t, err)
	require.True(t, secret.CheckPassword(digest, long+"a"))
	require.False(t, secret.CheckPassword(digest, long+"b"))
	require.False(t, secret.CheckPassword("", ""))
	for _, bad := range []string{"short", strings.Repeat("x", 129)} {
		_, err := secret.HashPassword(bad, 8)
		require.Equal(t, fault.CodeInvalid, fault.CodeOf(err), bad)
	}
}

func TestNeed(t *testing.T) {
	t.Parallel()
	user := tree.User{ID: 1}
	for _, c := range []struct {
		scope, others, lacks string
	}{
		{"api", "", ""},
		{"api", "read_api", ""},
		{"read_api", "read_api", ""},
		{"read_api", "", "api"},
		{"read_user", "read_api", "api read_api"},
		{"read_user", "read_api read_user", ""},
		{"sudo", "read_api", "api read_api"},
	} {
		err := auth.Caller{User: user, Token: people.Token{Scopes: []string{c.scope}}}.Need(strings.Fields(c.others)...)
		f, _ := fault.From(err)
		if c.lacks == "" {
			require.NoError(t, err, c)
			continue
		}
		require.Equal(t, c.lacks, f.Scope, c)
	}
	require.NoError(t, auth.Nobody.Need())
}

// A deploy token is a caller of clients that send a user name and a password, and not of the API.
func TestDeployToken(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ctx := t.Context()
	alice := s.User(t, "deploy-alice")
	var project servertest.Made
	s.Do(t, alice.Token, "POST", "/projects", map[string]any{"name": "site"}).Into(t, &project)
	fresh, err := people.CreateDeployToken(ctx, s.Store, db.Container{ProjectID: &project.ID},
		people.DeployToken{Name: "ci", Username: "ci", Scopes: []string{"read_registry"}})
	require.NoError(t, err)
	basic := func(username, password string) *http.Request {
		r := httptest.NewRequest("GET", "/", nil)
		r.SetBasicAuth(username, password)
		return r
	}
	ctx, err = s.Auth.AuthenticateClient(ctx, basic("ci", fresh.Plain))
	require.NoError(t, err)
	caller := auth.From(ctx)
	require.Equal(t, fresh.ID, caller.DeployToken.ID)
	require.True(t, caller.Known())
	require.False(t, caller.Signed(), "no user")
	require.True(t, caller.Allows("read_registry"))
	require.NoError(t, caller.Need("read_registry"))
	require.Equal(t, fault.InsufficientScope("api", "read_repository"), caller.Need("read_repository"))

	_, err = s.Auth.AuthenticateClient(t.Context(), basic("ci", fresh.Plain+"x"))
	require.Equal(t, fault.CodeUnauthorized, fault.CodeOf(err))
	ctx, err = s.Auth.Authenticate(t.Context(), basic("ci", fresh.Plain))
	require.NoError(t, err)
	require.Equal(t, fault.Unauthorized(), auth.From(ctx).Need("read_user"), "it is unknown to the API")
	require.NoError(t, auth.From(ctx).Need("read_registry"), "apart from routes that name its scope")
	both := basic("ci", fresh.Plain)
	both.Header.Set("Private-Token", alice.Token)
	ctx, err = s.Auth.AuthenticateClient(t.Context(), both)
	require.NoError(t, err)
	require.Equal(t, alice.ID, auth.From(ctx).ID())

	// The setting personal_access_token_prefix can be the prefix of deploy tokens.
	tomorrow, digest := db.Today().Add(1), secret.Digest("gldt-personal")
	_, err = people.InsertToken(t.Context(), s.Store, people.Token{
		UserID: alice.ID, Name: "alike", Scopes: []string{"api"}, Digest: digest[:], ExpiresAt: &tomorrow,
	})
	require.NoError(t, err)
	ctx, err = s.Auth.AuthenticateClient(t.Context(), basic("any", "gldt-personal"))
	require.NoError(t, err)
	require.Equal(t, alice.ID, auth.From(ctx).ID())
}
