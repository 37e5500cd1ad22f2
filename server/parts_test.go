package server_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/part"
	"hew/server/servertest"
	"hew/server/view"
)

// sum is what all domains add to a server.
func sum() part.Part { return server.Sum(server.Parts(part.Host{Site: &view.Site{}})) }

// routes.txt is the whole route table: method, path, what it takes to be admitted.
func TestRoutes(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, r := range sum().Routes {
		lines = append(lines, fmt.Sprintf("%-6s %-60s %s\n", r.Method, r.Path, r.Need))
	}
	slices.SortFunc(lines, func(a, b string) int { return cmp.Or(strings.Compare(a[7:], b[7:]), strings.Compare(a, b)) })
	servertest.Golden(t, "testdata/routes.txt", strings.Join(lines, ""))
}

// Every route has a guard that says what it needs, and no route for changing things is open to
// nobody.
func TestNoRouteIsOpen(t *testing.T) {
	t.Parallel()
	for _, r := range sum().Routes {
		require.NotEmpty(t, r.Need, "%s", r)
		if !slices.Contains([]string{http.MethodGet, http.MethodHead}, r.Method) {
			require.NotEqual(t, "anyone", r.Need, "%s", r)
		}
	}
}

// refusals.txt is how every violated constraint is answered; a test of package db demands that none
// is missing.
func TestRefusals(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	refusals := sum().Refusals
	for _, name := range slices.Sorted(maps.Keys(refusals)) {
		if r := refusals[name]; r.Conflict != "" {
			fmt.Fprintf(&out, "%-45s 409 %s\n", name, r.Conflict)
		} else {
			fmt.Fprintf(&out, "%-45s 400 %s %s\n", name, r.Field, r.Text)
		}
	}
	servertest.Golden(t, "testdata/refusals.txt", out.String())
}

// events.txt is who listens to what, in the order in which they are called, and which jobs there
// are.
func TestEventsAndJobs(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	for _, p := range server.Parts(part.Host{Site: &view.Site{}}) {
		for _, l := range p.Listeners {
			fmt.Fprintf(&out, "%-12s listens to %s\n", p.Name, l.Event)
		}
		for _, k := range p.Jobs {
			every := ""
			if k.Every > 0 {
				every = fmt.Sprintf(", every %s", k.Every)
			}
			fmt.Fprintf(&out, "%-12s does %s%s\n", p.Name, k.Name, every)
		}
	}
	servertest.Golden(t, "testdata/events.txt", out.String())
}
