package api_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/db"
	"hew/server/part"
	"hew/server/rest"
	"hew/server/servertest"
	"hew/server/view"
)

// routes.txt is the whole route table: method, path, what it takes to be admitted.
func TestRoutes(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	for _, r := range server.Sum(server.Parts(part.Host{Site: &view.Site{}})).Routes {
		fmt.Fprintf(&out, "%-6s %-60s %s\n", r.Method, r.Path, r.Need)
	}
	servertest.Golden(t, "testdata/routes.txt", out.String())
}

// Every route has a guard that says what it needs, and no route for changing things is open to nobody.
func TestNoRouteIsOpen(t *testing.T) {
	t.Parallel()
	for _, r := range server.Sum(server.Parts(part.Host{Site: &view.Site{}})).Routes {
		require.NotEmpty(t, r.Need, "%s", r)
		if !slices.Contains([]string{http.MethodGet, http.MethodHead}, r.Method) {
			require.NotEqual(t, "anyone", r.Need, "%s", r)
		}
	}
}

// access.txt is every route for every role: the status that a request without any parameter gets, where the group or project
// is private, internal and public. It is read against the specification: 404 for what one may not know of, 403 for what one
// may not do, 401 where somebody has to be. A status of 400 says that the guard let the caller pass. Every request is
// undone, so that none meets the traces of another.
func TestAccess(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	handler := rest.New(rest.Config{
		Auth:  s.Auth.Authenticate,
		Begin: undone(s.Store),
		Base:  s.Server.Server.URL(),
	}, s.API.Routes())
	ask := func(route rest.Route, path string) string {
		var line strings.Builder
		for _, p := range s.players {
			r := httptest.NewRequestWithContext(t.Context(), route.Method, "/api/v4"+path, nil)
			if p.token != "" {
				r.Header.Set("Private-Token", p.token)
			}
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			require.True(t, w.Code < 500 || w.Code == http.StatusNotImplemented, "%s as %s: %d %s", route, p.role, w.Code, w.Body)
			fmt.Fprintf(&line, " %4d", w.Code)
		}
		return line.String()
	}

	var out strings.Builder
	head := fmt.Sprintf("%-77s", "")
	for _, p := range s.players {
		fmt.Fprintf(&out, "# %s %s\n", p.short, p.role)
		head += " " + p.short
	}
	fmt.Fprintf(&out, "# internal+ internal and public alike\n\n%s\n", head)
	for _, route := range s.API.Routes() {
		for _, path := range append([]string{route.Path}, asking[route.Method+" "+route.Path]...) {
			shown, _, _ := strings.Cut(path, "&")
			title := fmt.Sprintf("%-6s %-60s", route.Method, shown)
			for _, l := range merged(s.scenes, func(v scene) string { return ask(route, v.path(t, path)) }) {
				fmt.Fprintf(&out, "%s %-9s %s\n", title, l.where, l.text)
				title = strings.Repeat(" ", len(title))
			}
		}
	}
	servertest.Golden(t, "testdata/access.txt", out.String())
}

// asking are routes that anybody may ask something of who is signed in, with what they are asked: it decides who gets it.
var asking = map[string][]string{
	"POST /user/runners": {
		"/user/runners?runner_type=instance_type",
		"/user/runners?runner_type=group_type&group_id={here}",
		"/user/runners?runner_type=project_type&project_id={project_id}",
	},
}

// line is what is the same for some visibilities.
type line struct{ where, text string }

// merged asks for each scene, and joins those that do not differ.
func merged(scenes []scene, ask func(scene) string) (lines []line) {
	for _, v := range scenes {
		text := ask(v)
		if last := len(lines) - 1; last >= 0 && lines[last].text == text {
			lines[last].where += "+"
			continue
		}
		lines = append(lines, line{v.visibility, text})
	}
	if len(lines) == 1 {
		lines[0].where = ""
	}
	return lines
}

// undone is api.Begin without a commit.
func undone(st *db.Store) func(context.Context, bool) (context.Context, func(error) error, error) {
	return func(ctx context.Context, write bool) (context.Context, func(error) error, error) {
		ctx, finish, err := server.Begin(st)(ctx, write)
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
