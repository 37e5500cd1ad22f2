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

// visibilities lists those of the groups and projects that requests name.
var visibilities = []db.Visibility{db.Private, db.Internal, db.Public}

// Access sends a request for every route of a part as each of Roles, on a private, an internal and
// a public group and project, and compares the statuses with testdata/access.txt. Requests have no
// parameters and are rolled back. 404 means that the caller cannot see the object, 403 that they
// lack the ability, 401 that they must sign in, and 400 that the guard admitted them. ask lists
// paths with a query for routes whose guard needs a parameter, by method and path of the route. If
// the first of them is empty, the route is not asked without a query: it has no transaction, and
// what it does would stay.
func Access(t *testing.T, of func(part.Host) part.Part, ask map[string][]string) {
	t.Parallel()
	s := Fresh(t)
	s.unlimited(t)
	p := of(host(s.Server.URL()))
	everybody := s.cast(t)
	handler := rest.New(rest.Config{
		Auth: s.Auth.Authenticate, Lend: server.Lend(s.Store), Begin: beginUndone, Base: s.Server.URL(),
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
				where += "+" // and the next visibility has the same answer
			}
			fmt.Fprintf(&out, "%-78s %-9s %s\n", title, where, answers[from][n])
			title, from = "", to
		}
	}
	Golden(t, "testdata/access.txt", out.String())
}

// pathsOf returns the paths of the requests for a route.
func pathsOf(route rest.Route, ask map[string][]string, used map[string]bool) []string {
	key := route.Method + " " + route.Path
	used[key] = true
	if paths := ask[key]; len(paths) > 0 && paths[0] == "" {
		return paths[1:]
	}
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
	require.False(t, Failed(w.Code), "%s: %d %s", route, w.Code, w.Body)
	return w.Code
}

// byStatus returns the roles by the status that they get, as "200 gprdMOjA 404 -sm", in the order
// of the first role of each.
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

// beginUndone begins a transaction that is rolled back instead of committed.
func beginUndone(ctx context.Context) (func(error) error, error) {
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
