package servertest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
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
)

// visibilities are those of the group and project that a route is asked about.
var visibilities = []db.Visibility{db.Private, db.Internal, db.Public}

// Access asks every route of a part as everybody of Roles, about a private, an internal and a
// public group and project, and compares the statuses with testdata/access.txt. Requests have no
// parameters, and each is undone: 404 is for what one may not know of, 403 for what one may not do,
// 401 where somebody has to be signed in; 400 says that the guard let the caller pass. Routes that
// decide by a parameter are asked with it: ask is their paths, with the query, by method and path
// of the route.
func Access(t *testing.T, of func(part.Host) part.Part, ask map[string][]string) {
	t.Parallel()
	s := Fresh(t)
	p := of(host(s.Server.URL()))
	everybody := s.cast(t)
	handler := rest.New(rest.Config{
		Auth: s.Auth.Authenticate, Lend: server.Lend(s.Store), Begin: undone, Base: s.Server.URL(),
		Log: slog.New(slog.DiscardHandler),
	}, p.Routes)
	used := map[string]bool{}

	var titles []string
	answers := make([][]string, len(visibilities)) // by visibility, then row
	for _, route := range p.Routes {
		for _, path := range pathsOf(route, ask, used) {
			shown, _, _ := strings.Cut(path, "&")
			titles = append(titles, fmt.Sprintf("%-6s %s", route.Method, shown))
		}
	}
	for known := range ask {
		require.True(t, used[known], "no route %s", known)
	}
	t.Run("scenes", func(t *testing.T) {
		for i, v := range visibilities {
			values := s.scene(t, p, v, everybody, 1)
			t.Run(v.String(), func(t *testing.T) {
				t.Parallel()
				for _, route := range p.Routes {
					for _, path := range pathsOf(route, ask, map[string]bool{}) {
						filled := FillPath(t, path, values)
						status := map[rune]int{}
						for _, letter := range Roles {
							status[letter] = statusOf(t, handler, route, filled, s.tokenOf(everybody, letter))
						}
						answers[i] = append(answers[i], byStatus(status))
					}
				}
			})
		}
	})
	var out strings.Builder
	for _, letter := range Roles {
		fmt.Fprintf(&out, "# %c %s\n", letter, roleOf[letter].name)
	}
	fmt.Fprintln(&out)
	for n, title := range titles {
		for from := 0; from < len(visibilities); {
			to := from + 1
			for to < len(visibilities) && answers[to][n] == answers[from][n] {
				to++
			}
			where := visibilities[from].String()
			switch {
			case to-from == len(visibilities):
				where = "all"
			case to-from > 1:
				where += "+" // and the next one alike
			}
			fmt.Fprintf(&out, "%-78s %-9s %s\n", title, where, answers[from][n])
			title, from = "", to
		}
	}
	Golden(t, "testdata/access.txt", out.String())
}

// pathsOf are the paths that a route is asked by.
func pathsOf(route rest.Route, ask map[string][]string, used map[string]bool) []string {
	key := route.Method + " " + route.Path
	used[key] = true
	return append([]string{route.Path}, ask[key]...)
}

// statusOf sends a request and returns the status.
func statusOf(t *testing.T, handler http.Handler, route rest.Route, path, token string) int {
	r := httptest.NewRequestWithContext(t.Context(), route.Method, "/api/v4"+path, nil)
	if token != "" {
		r.Header.Set("Private-Token", token)
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	require.True(t, w.Code < 500 || w.Code == http.StatusNotImplemented, "%s: %d %s", route, w.Code, w.Body)
	return w.Code
}

// byStatus is who gets which status: "200 gprdMOjA 404 -sm", in the order of the first role that
// gets it.
func byStatus(status map[rune]int) string {
	roles := map[int]string{}
	for _, letter := range Roles {
		roles[status[letter]] += string(letter)
	}
	var words []string
	for code, letters := range roles {
		words = append(words, fmt.Sprintf("%d %s", code, letters))
	}
	slices.SortFunc(words, func(a, b string) int {
		return cmp.Compare(strings.IndexByte(Roles, a[4]), strings.IndexByte(Roles, b[4]))
	})
	return strings.Join(words, "  ")
}

var errUndone = errors.New("undone on purpose")

// undone is server.Begin without a commit.
func undone(ctx context.Context) (func(error) error, error) {
	finish, err := server.Begin(ctx)
	return func(err error) error {
		if err != nil {
			return finish(err)
		}
		if err := finish(errUndone); !errors.Is(err, errUndone) {
			return err
		}
		return nil
	}, err
}
