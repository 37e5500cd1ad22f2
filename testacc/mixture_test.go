package testacc

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mixture is a configuration of several kinds before a server of its own, each with all that can be
// stated of it, as the life cycle has it. They stand on common ground.
type mixture struct {
	*life
	kinds []kind
}

func newMixture(t *testing.T, known map[string]kind, kinds []kind) *mixture {
	stage := newStage(t)
	stage.introduce(t, "alice", "bob", "carol")
	return &mixture{&life{T: t, stage: stage, known: known, dir: t.TempDir(), proxy: newProxy(t, stage.server)}, kinds}
}

// sociable are the kinds that bear company, in the order of their names: what holds for the whole
// of a host does not.
func sociable(known map[string]kind) []kind {
	return slices.DeleteFunc(everyKind(known), kind.whole)
}

func everyKind(known map[string]kind) []kind {
	return slices.SortedFunc(maps.Values(known), func(a, b kind) int { return strings.Compare(a.Name, b.Name) })
}

// whole tells whether there is one such thing on a host.
func (k kind) whole() bool {
	return k.Holds == "one" &&
		!slices.ContainsFunc(k.Attributes, func(a attribute) bool { return a.Mode == "required" && a.Reference != "" })
}

// state declares them all, with one of two values each.
func (m *mixture) state(round int) {
	var blocks strings.Builder
	for _, k := range m.kinds {
		m.kind = k
		blocks.WriteString(m.stated(round))
	}
	m.declare(blocks.String())
}

// report is what hew says for programs, as far as it matters here.
type report struct {
	Changes []struct {
		Address string
		Sends   bool
	}
	Blocked, Guards, Diagnostics []struct{ Address, Code, Summary string }
	Outcome                      *struct {
		Done, Failed, Skipped []struct{ Address, Error string }
	}
}

// run runs hew and returns how it ended and what it said.
func (m *mixture) run(args ...string) (code int, said report, text string) {
	m.Helper()
	code, out, stderr := runInside(m.Context(), m.dir, m.environ(), args...)
	text = out + stderr
	if slices.Contains(args, "-json") {
		require.NoError(m, json.Unmarshal([]byte(out), &said), "hew %s\n%s", strings.Join(args, " "), text)
	}
	return code, said, text
}

// left is what a plan has to do. Nothing may keep it from being made.
func (m *mixture) left() (list []string) {
	m.Helper()
	code, said, text := m.run("plan", "-json")
	require.Zero(m, code, text)
	for _, c := range said.Changes {
		if c.Sends {
			list = append(list, c.Address)
		}
	}
	return list
}

// entry is something that the ledger has.
type entry struct {
	Address, Kind, Collection, ID string
	Pending                       bool
}

// ledger is what hew manages.
func (m *mixture) ledger() []entry {
	m.Helper()
	code, _, text := m.run("ledger", "list", "-json")
	require.Zero(m, code, text)
	var said struct{ Entries []entry }
	require.NoError(m, json.Unmarshal([]byte(text), &said))
	return said.Entries
}

// settled insists on an empty plan, on a ledger without intents, and on every declared thing being
// there once.
func (m *mixture) settled() {
	m.Helper()
	require.Empty(m, m.left())
	for _, e := range m.ledger() {
		require.False(m, e.Pending, "%s is an intent still", e.Address)
		m.once(m.known[e.Kind], e.Collection)
	}
}

// roots are those managed things that are in no other, as far as the server shows them one by one.
func (m *mixture) roots() (paths []string) {
	m.Helper()
	for _, e := range m.ledger() {
		at := "/" + e.Collection + "/" + e.ID
		if !inSomething.MatchString(e.Collection) && m.server.Do(m, m.server.RootToken, "GET", at, nil).Status == 200 {
			paths = append(paths, at)
		}
	}
	return paths
}

// inSomething is what the collections of owners are called.
var inSomething = regexp.MustCompile(`/\d+/`)

// emptied insists that what was there is gone, and forgotten.
func (m *mixture) emptied(paths []string) {
	m.Helper()
	require.Empty(m, m.ledger())
	for _, path := range paths {
		m.gone(path)
	}
}

// once insists that no two things in a collection are alike in what their kind is known by. Where
// hosts have no list, or are known to keep such things apart, there is nothing to look at.
func (m *mixture) once(k kind, collection string) {
	m.Helper()
	reply := m.server.Do(m, m.server.RootToken, "GET", "/"+collection, nil)
	var rows []map[string]any
	if reply.Status != 200 || json.Unmarshal(reply.Body, &rows) != nil {
		return
	}
	seen := map[string]bool{}
	for _, row := range rows {
		if row["inherited"] == true {
			continue // of the group
		}
		var keys []string
		for _, name := range k.Key {
			if v, ok := row[name]; ok {
				keys = append(keys, fmt.Sprint(v))
			}
		}
		if text := strings.Join(keys, ", "); text != "" {
			require.False(m, seen[text], "%s has %s twice:\n%s", collection, text, reply.Body)
			seen[text] = true
		}
	}
}
