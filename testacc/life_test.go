package testacc

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLifeCycle leads every kind that hew knows through its life: made, changed in every attribute,
// changed behind hew's back, given back to its defaults, deleted; with an empty plan after each;
// and it is pulled. What there is to state it learns from `hew schema`, so that a new kind is tried
// unasked.
func TestLifeCycle(t *testing.T) {
	t.Parallel()
	known := kinds(t)
	stage := newStage(t)
	stage.introduce(t, "alice", "bob", "carol")
	for _, names := range left {
		for name := range strings.FieldsSeq(names) {
			kind, attr, _ := strings.Cut(name, ".")
			require.True(t, slices.ContainsFunc(known[kind].Attributes,
				func(a attribute) bool { return a.Name == attr }), "%s is left out, and not there", name)
		}
	}
	for name, k := range known {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			on := stage
			if k.Holds == "one" { // and everybody would feel it
				on = newStage(t)
			}
			l := &life{T: t, stage: on, kind: k, known: known, dir: t.TempDir(), proxy: newProxy(t, on.server)}
			l.live()
		})
	}
}

// kinds are those that hew knows, by name.
func kinds(t *testing.T) map[string]kind {
	code, out, stderr := runInside(t.Context(), ".", nil, "schema")
	require.Zero(t, code, stderr)
	var doc struct{ Resources map[string]kind }
	require.NoError(t, json.Unmarshal([]byte(out), &doc))
	require.NotEmpty(t, doc.Resources)
	for name, k := range doc.Resources {
		k.Name = name
		doc.Resources[name] = k
	}
	return doc.Resources
}

// life is that of one object, declared as KIND.it.
type life struct {
	*testing.T
	*stage
	kind   kind
	known  map[string]kind
	proxy  *proxy
	dir    string
	home   string // what the paths of its ground begin with
	ground string // what it needs to stand on, in configuration
	env    []string
}

// live is the whole life.
func (l *life) live() {
	changing := l.changing()

	l.declare(l.stated(0))
	l.apply()
	l.pulled()

	if len(changing) > 0 {
		l.changes(changing)
	}

	// Its lines go, and it goes back to the defaults: to state those is no change.
	l.declare(l.required())
	l.apply()
	l.declare(l.defaults())
	l.quiet()

	l.replaced()

	if l.kind.Holds == "one" {
		l.lets()
		return
	}

	// It goes itself, which may be all that there was.
	l.declare("hew {\n  guards {\n    allow_empty = true\n  }\n}\n" + l.lifted())
	gone := slices.DeleteFunc(l.apply(), func(r request) bool { return !r.ends() })
	require.NotEmpty(l, gone)
	for _, r := range gone {
		l.gone(r.Path)
	}
}

// ends tells whether a request is the end of an object, or a step to it: what cannot be deleted is
// switched off, and nothing else is said of it; an environment is stopped first.
func (r request) ends() bool {
	return r.Method == "DELETE" || r.Method == "POST" && strings.HasSuffix(r.Path, "/stop") ||
		r.Method == "PATCH" && string(r.Body) == `{"active":false}`
}

// lets lets go of what stays: all that was set goes back to its defaults.
func (l *life) lets() {
	l.declare(l.stated(0))
	l.apply()
	if l.ground == "" {
		l.hew(0, "destroy", "-auto-approve")
		require.Empty(l, l.hew(0, "ledger", "list"))
	} else { // what it belongs to stays
		l.declare(l.lifted())
		l.apply()
	}
	l.declare(l.defaults())
	l.quiet()
}

// changes leads every attribute that can be changed in place through a change.
func (l *life) changes(changing []attribute) {
	// Every attribute changes, and is told.
	l.declare(l.stated(1))
	l.tells("plan", changing)
	l.apply()

	// Every attribute is changed behind hew's back, with the very requests that hew would send, and
	// is told as drift.
	l.declare(l.stated(0))
	there := l.apply()
	l.declare(l.stated(1))
	l.apply()
	for _, r := range there {
		if r.writes() {
			reply := l.server.Do(l, l.server.RootToken, r.Method, r.target(), json.RawMessage(r.Body))
			require.Less(l, reply.Status, 300, "%s: %s", r, reply.Body)
		}
	}
	l.tells("drift", slices.DeleteFunc(changing, func(a attribute) bool { return a.Secret && !a.Readable }))
	l.apply()
}

// replaced changes what cannot be changed, one after the other: the old object goes, and a new one
// comes.
func (l *life) replaced() {
	if l.kind.Element != "" {
		return
	}
	must := slices.DeleteFunc(l.stating(), func(a attribute) bool { return !l.takes(a) })
	rounds := map[string]int{}
	for _, fixed := range must {
		if !fixed.Fixed {
			continue
		}
		rounds[fixed.Name] = 1
		l.declare(l.block(must, func(a attribute) string { return l.value(a, rounds[a.Name]) }))
		var sent []string
		for _, r := range l.apply() {
			method := r.Method
			if r.ends() {
				method = "DELETE"
			}
			sent = append(sent, method)
		}
		if l.kind.Holds == "one" { // the old one stays where it is
			require.Contains(l, sent, "POST", "another %s", fixed.Name)
			continue
		}
		require.Contains(l, sent, "DELETE", "another %s", fixed.Name)
		require.True(
			l, slices.Contains(sent, "POST") || slices.Contains(sent, "PUT"), "another %s: %v", fixed.Name, sent,
		)
	}
}

// changing are the attributes that can be changed in place.
func (l *life) changing() []attribute {
	return slices.DeleteFunc(l.stating(),
		func(a attribute) bool { return a.Fixed || a.Once || a.Local || l.value(a, 0) == l.value(a, 1) })
}

// apply applies what is declared, and insists on an empty plan after it. It returns the requests.
func (l *life) apply() []request {
	l.Helper()
	l.hew(0, "apply", "-auto-approve")
	sent := l.proxy.requests()
	l.quiet()
	return sent
}

// quiet insists on an empty plan.
func (l *life) quiet() {
	l.Helper()
	l.hew(0, "plan", "-detailed-exitcode")
}

// tells insists that a command names every one of the attributes.
func (l *life) tells(command string, attributes []attribute) {
	l.Helper()
	args := []string{command, "-json"}
	if command == "plan" {
		args = append(args, "-detailed-exitcode")
	}
	var doc struct {
		Changes, Drift []struct {
			Address string
			Paths   []struct{ Path string }
		}
	}
	require.NoError(l, json.Unmarshal([]byte(l.hew(2, args...)), &doc))
	changes := doc.Changes
	if command == "drift" {
		changes = doc.Drift
	}
	if l.kind.Element != "" {
		require.NotEmpty(l, changes)
		return
	}
	var told, want []string
	for _, c := range changes {
		require.Equal(l, l.kind.Name+".it", c.Address)
		for _, p := range c.Paths {
			told = append(told, p.Path)
		}
	}
	for _, a := range attributes {
		want = append(want, a.Name)
	}
	require.ElementsMatch(l, want, told, command)
}

// gone insists that nothing is left, or that it is on its way. What groups above have does not
// count.
func (l *life) gone(path string) {
	reply := l.server.Do(l, l.server.RootToken, "GET", path+"?include_ancestor_groups=false", nil)
	switch body := string(reply.Body); {
	case reply.Status == 404 || body == "null":
	case reply.Status == 405: // nobody can look; that the plan is empty has to do
	default:
		require.Regexp(l, `"marked_for_deletion_on":"|"revoked":true|"active":false|"state":"blocked"`, body, path)
	}
}

// hew runs hew, which must end with a code. Looking must not write.
func (l *life) hew(code int, args ...string) string {
	l.Helper()
	got, out, stderr := l.try(args...)
	require.Equal(l, code, got, "hew %s\n%s%s", strings.Join(args, " "), out, stderr)
	return out
}

// try runs hew, and returns its exit code and what it said.
func (l *life) try(args ...string) (code int, told, wrong string) {
	l.Helper()
	l.proxy.reset(nil)
	code, told, wrong = runInside(l.Context(), l.dir, l.environ(), args...)
	for _, r := range l.proxy.requests() {
		require.False(l, args[0] != "apply" && args[0] != "destroy" && r.writes(), "hew %s sent %s", args[0], r)
	}
	l.discreet(told + wrong)
	return code, told, wrong
}

// environ is what hew finds set.
func (l *life) environ() []string {
	return append([]string{"HEW_URL=" + l.proxy.URL, "HEW_TOKEN=" + l.server.RootToken, "HOME=" + l.dir}, l.env...)
}

// discreet insists that no secret is in what was said, or in the ledger.
func (l *life) discreet(said string) {
	ledger, err := os.ReadFile(filepath.Join(l.dir, ".hew", "ledger.json"))
	if !errors.Is(err, os.ErrNotExist) {
		require.NoError(l, err)
	}
	for _, a := range l.stating() {
		if a.Secret && a.Type == "string" {
			for round := range 2 {
				require.NotContains(l, said+string(ledger), strings.Trim(l.value(a, round), `"`))
			}
		}
	}
}
