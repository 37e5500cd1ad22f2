package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/api"
	"hew/server/auth"
	"hew/server/rest"
	"hew/server/servertest"
	"hew/server/store"
)

// routes.txt is the whole route table: method, path, what it takes to be admitted.
func TestRoutes(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	for _, r := range (&api.API{}).Routes() {
		fmt.Fprintf(&out, "%-6s %-60s %s\n", r.Method, r.Path, r.Need)
	}
	servertest.Golden(t, "testdata/routes.txt", out.String())
}

// stage is one private group with one private project and somebody in every role.
type stage struct {
	*servertest.Server
	t      *testing.T
	tokens []token
	values map[string]string // of the wildcards in paths, by "first segment/name" or name
}

// token is a column of access.txt.
type token struct{ role, value string }

// access.txt is every route for every role: the status that a request without any parameter gets. It is read against the
// specification: 404 for what one may not know of, 403 for what one may not do, 401 where somebody has to be. A status
// of 400 says that the guard let the caller pass. Every request is undone, so that none meets the traces of another.
func TestAccess(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	handler := rest.New(rest.Config{
		Auth:  s.Auth.Authenticate,
		Begin: undone(s.Store),
		Base:  s.Server.Server.URL(),
	}, s.API.Routes())

	var out strings.Builder
	fmt.Fprintf(&out, "%-67s", "")
	for _, column := range s.tokens {
		fmt.Fprintf(&out, " %s", column.role)
	}
	fmt.Fprintln(&out)
	for _, route := range s.API.Routes() {
		fmt.Fprintf(&out, "%-6s %-60s", route.Method, route.Path)
		for _, column := range s.tokens {
			r := httptest.NewRequestWithContext(t.Context(), route.Method, "/api/v4"+s.path(route.Path), nil)
			if column.value != "" {
				r.Header.Set("Private-Token", column.value)
			}
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			require.True(t, w.Code < 500 || w.Code == http.StatusNotImplemented, "%s as %s: %d %s", route, column.role, w.Code, w.Body)
			fmt.Fprintf(&out, " %*d", len(column.role), w.Code)
		}
		fmt.Fprintln(&out)
	}
	servertest.Golden(t, "testdata/access.txt", out.String())
}

// undone is api.Begin without a commit.
func undone(st *store.Store) func(context.Context, bool) (context.Context, func(error) error, error) {
	return func(ctx context.Context, write bool) (context.Context, func(error) error, error) {
		ctx, finish, err := api.Begin(st)(ctx, write)
		return ctx, func(err error) error {
			if !write || err != nil {
				return finish(err)
			}
			if err := finish(errUndone); !errors.Is(err, errUndone) {
				return err
			}
			return nil
		}, err
	}
}

var errUndone = errors.New("undone on purpose")

func newStage(t *testing.T) stage {
	s := stage{Server: servertest.Fresh(t), t: t, tokens: []token{{"anonymous", ""}}}
	ctx := t.Context()
	owner := s.User(t, "owner")
	group, err := s.Store.CreateGroup(ctx, store.NewGroup("Stage", "stage", nil), owner.ID)
	require.NoError(t, err)
	project, err := s.Store.CreateProject(ctx, store.NewProject("play", "play", group.ID), owner.ID)
	require.NoError(t, err)
	guest, err := s.Store.CreateGroup(ctx, store.NewGroup("Guest", "guests", nil), 0)
	require.NoError(t, err)
	for _, source := range []store.Source{store.InGroup(group), store.InProject(project)} {
		_, err = s.Store.CreateShare(ctx, source.NewShare(guest, 30))
		require.NoError(t, err)
	}
	groupHook, groupLog := s.hook(group.Container())
	projectHook, projectLog := s.hook(project.Container())

	join := func(role string, level int) servertest.Persona {
		p := s.User(t, role)
		if level > 0 {
			_, err := s.Store.AddMember(ctx, store.Member{UserID: p.ID, NamespaceID: &group.ID, AccessLevel: level})
			require.NoError(t, err)
		}
		return p
	}
	for _, role := range []struct {
		name  string
		level int
	}{{"stranger", 0}, {"guest", 10}, {"reporter", 20}, {"developer", 30}, {"maintainer", 40}} {
		s.tokens = append(s.tokens, token{role.name, join(role.name, role.level).Token})
	}
	join("deputy", 50) // or the owner could not be removed
	blocked := join("blocked", 50)
	_, err = s.Store.SetUserState(ctx, blocked.ID, "blocked", "active")
	require.NoError(t, err)
	digest, today := auth.Digest("expired"), store.Today()
	_, err = s.Store.CreateToken(ctx, store.Token{
		UserID: owner.ID, Name: "old", Scopes: []string{"api"}, Digest: digest[:], ExpiresAt: &today,
	})
	require.NoError(t, err)
	s.tokens = append(s.tokens,
		token{"owner", owner.Token}, token{"admin", s.RootToken}, token{"blocked", blocked.Token}, token{"expired", "expired"},
		token{"read_api", s.Token(t, owner.ID, "read_api")}, // the owner's, too
	)
	tokens, _, err := s.Store.Tokens(ctx, store.TokenFilter{UserID: &owner.ID}, store.Page{Limit: 1})
	require.NoError(t, err)

	// What the wildcards of the paths stand for. A new one needs a line here.
	s.values = map[string]string{
		"groups/id":                 fmt.Sprint(group.ID),
		"projects/id":               fmt.Sprint(project.ID),
		"namespaces/id":             fmt.Sprint(group.ID),
		"users/id":                  fmt.Sprint(owner.ID),
		"personal_access_tokens/id": fmt.Sprint(tokens[0].ID),
		"user_id":                   fmt.Sprint(owner.ID),
		"groups/hook_id":            groupHook,
		"groups/hook_log_id":        groupLog,
		"projects/hook_id":          projectHook,
		"projects/hook_log_id":      projectLog,
		"key":                       "key",
		"trigger":                   "push_events",
		"project_id":                fmt.Sprint(project.ID),
		"group_id":                  fmt.Sprint(guest.ID),
	}
	return s
}

// hook makes a hook that leads nowhere, with one delivery. Those that the test asks for are refused, and not undone: they
// wait for nobody's transaction.
func (s stage) hook(c store.Container) (id, delivery string) {
	ctx := s.t.Context()
	h, err := s.Store.NewHook(ctx, c)
	require.NoError(s.t, err)
	h.URL = "http://127.0.0.1:1"
	h.URLVariables.Set(s.Store.HookVariable(h, "key", "value"))
	h.CustomHeaders.Set(s.Store.HookVariable(h, "key", "value"))
	_, err = s.Store.CreateHook(ctx, h)
	require.NoError(s.t, err)
	l, err := s.Store.BeginHookLog(ctx, store.HookLog{
		HookID: h.ID, Trigger: "push_hooks", RequestHeaders: map[string]string{}, RequestData: json.RawMessage(`{}`),
		EventUUID: "7a2d4a44-6c0a-4d8e-9f2c-1d9a3f0c5b11", IdempotencyKey: "7a2d4a44-6c0a-4d8e-9f2c-1d9a3f0c5b12",
	})
	require.NoError(s.t, err)
	l.ResponseStatus = new(200)
	require.NoError(s.t, s.Store.EndHookLog(ctx, l, true))
	return fmt.Sprint(h.ID), fmt.Sprint(l.ID)
}

var wildcard = regexp.MustCompile(`\{(\w+)(?:\.\.\.)?\}`)

// path fills the wildcards of a route's path.
func (s stage) path(pattern string) string {
	first := strings.Split(pattern, "/")[1]
	return wildcard.ReplaceAllStringFunc(pattern, func(w string) string {
		name := wildcard.FindStringSubmatch(w)[1]
		for _, key := range []string{first + "/" + name, name} {
			if v, ok := s.values[key]; ok {
				return v
			}
		}
		s.t.Fatalf("%s: say in newStage what {%s} stands for", pattern, name)
		return ""
	})
}

// Every route has a guard that says what it needs, and no route for changing things is open to nobody.
func TestNoRouteIsOpen(t *testing.T) {
	t.Parallel()
	for _, r := range (&api.API{}).Routes() {
		require.NotEmpty(t, r.Need, "%s", r)
		if !slices.Contains([]string{http.MethodGet, http.MethodHead}, r.Method) {
			require.NotEqual(t, "anyone", r.Need, "%s", r)
		}
	}
}
