package config_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/golden"
	"hew/schema"
)

// TestGood evaluates configurations: live.json is what the oracle knows, vars
// what flags say (a=b lines, or a file name), want what comes out.
func TestGood(t *testing.T) {
	t.Parallel()
	golden.Cases(t, "testdata/good", func(t *testing.T, archive *txtar.Archive) []txtar.File {
		g := readGood(t, archive)
		got := outcome(t, g.files, g.vars, g.oracle)
		for _, f := range g.files { // H06: as checked out on another system
			lines := bytes.ReplaceAll(bytes.ReplaceAll(f.Data, []byte("\r"), nil), []byte("\n"), []byte("\r\n"))
			f.Data = append([]byte("\xef\xbb\xbf"), lines...)
		}
		require.Equal(t, got, outcome(t, g.files, g.vars, g.oracle), "with CR LF and a byte order mark")
		return golden.WithFile(archive.Files, "want", got)
	})
}

// good is a configuration that is right, and what it comes to.
type good struct {
	files  fstest.MapFS
	vars   config.Vars
	oracle oracle
	want   string
}

func readGood(t *testing.T, archive *txtar.Archive) good {
	t.Helper()
	g := good{files: fstest.MapFS{}}
	for _, f := range archive.Files {
		switch f.Name {
		case "want":
			g.want = string(f.Data)
		case "live.json":
			require.NoError(t, json.Unmarshal(f.Data, &g.oracle))
		case "vars":
			g.vars = flags(t, f.Data)
		default:
			g.files[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	return g
}

// outcome is what a configuration comes to, and where notes and warnings are.
func outcome(t *testing.T, fsys fstest.MapFS, vars config.Vars, o oracle) string {
	cfg, diags := config.Load(t.Context(), fsys, ".", catalog(), vars)
	require.False(t, diags.HasErrors(), diags.Error())
	res, more := cfg.NewEval().Run(t.Context(), o)
	require.False(t, more.HasErrors(), more.Error())
	got := text(res)
	for _, n := range cfg.Notes() {
		got += "note " + noteAt.FindString(n) + "\n"
	}
	for _, d := range diags {
		got += "warning " + d.Subject.String() + "\n"
	}
	return got
}

// noteAt is where a note is about. Its words are in testdata/messages.txt.
var noteAt = regexp.MustCompile(`^\S+:\d+:\d+`)

func flags(t testing.TB, src []byte) (v config.Vars) {
	env := map[string]string{}
	for line := range strings.Lines(string(src)) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		switch {
		case strings.HasPrefix(name, "env "):
			env[strings.TrimPrefix(name, "env ")] = value
		case strings.HasPrefix(name, "file "):
			v.Args = append(v.Args,
				config.Var{File: "extra.hclvars", Content: []byte(strings.TrimPrefix(name, "file ") + "=" + value)})
		default:
			require.True(t, ok, line)
			v.Args = append(v.Args, config.Var{Name: name, Value: value})
		}
	}
	v.Env = func(name string) (string, bool) { s, ok := env[name]; return s, ok }
	return v
}

// oracle answers from a file.
type oracle struct {
	Objects map[string]map[string]json.RawMessage // of Live and Data, by address
	Stopped map[string]string
	asked   map[addr.Instance]int
}

func (o oracle) value(raw json.RawMessage) cty.Value {
	typ, err := ctyjson.ImpliedType(raw)
	if err != nil {
		panic(err)
	}
	v, err := ctyjson.Unmarshal(raw, typ)
	if err != nil {
		panic(err)
	}
	return v
}

func (o oracle) Live(i addr.Instance) (s schema.Sparse) {
	if o.asked != nil {
		o.asked[i]++
	}
	for name, raw := range o.Objects[i.String()] {
		s.Set(catalog().Resource(i.Kind).Attr(name), o.value(raw))
	}
	return s
}

func (o oracle) Data(i addr.Instance, _ schema.Object) (map[string]cty.Value, bool) {
	answer, ok := o.Objects[i.String()]
	out := map[string]cty.Value{}
	for name, raw := range answer {
		out[name] = o.value(raw)
	}
	return out, ok
}

func (o oracle) Blocked(i addr.Instance) string { return o.Stopped[i.String()] }

// text prints a result, a line a fact.
func text(r config.Result) string {
	var b bytes.Buffer
	for _, d := range r.Sources {
		desired(&b, d)
	}
	for _, d := range r.Instances {
		desired(&b, d)
	}
	for _, x := range r.Exclusives {
		fmt.Fprintf(&b, "exclusive %s of %s\n", x.Addr, x.Kind.Name)
		desired(&b, x.Owner)
	}
	for _, x := range r.Blocked {
		fmt.Fprintf(&b, "blocked %s: %s %v\n", x.Addr, x.Reason, x.Causes)
	}
	for _, m := range r.Moves {
		fmt.Fprintf(&b, "moved %s -> %s\n", m.From, m.To)
	}
	for _, m := range r.Removals {
		fmt.Fprintf(&b, "removed %s destroy=%v allow=%v\n", m.From, m.Destroy, m.Allow)
	}
	for _, i := range r.Imports {
		fmt.Fprintf(&b, "import %s id %s @%d\n", i.To, i.ID, i.DeclRange.Start.Line)
	}
	for _, c := range r.Checks {
		fmt.Fprintf(&b, "%s %s @%d %s\n", c.Name, c.Verdict, c.DeclRange.Start.Line, c.Text)
	}
	for _, o := range r.Outputs {
		fmt.Fprintf(&b, "output %s = %s sensitive=%v %s\n", o.Name, show(o.Value), o.Sensitive, o.Doc)
	}
	if h := r.Hew; h.Ledger != nil {
		fmt.Fprintf(&b, "hew %q ledger %s path=%s max=%v\n", h.RequiredVersion, h.Ledger.Type,
			show(h.Ledger.Args["path"]), *h.Guards.MaxDeletes)
	}
	return b.String()
}

func desired(b *bytes.Buffer, d config.Desired) {
	id, _ := d.Addr.MarshalText()
	fmt.Fprintf(b, "%s (%s)\n", id, d.Object.Kind.Name)
	for a, v := range d.Object.Value.All() {
		fmt.Fprintf(b, "  %s = %s", a.Name, show(v))
		if o, ok := d.Origin[a.Name]; ok {
			fmt.Fprintf(b, " from %s", o)
		}
		for i := 0; a.ManyRefs() && v.IsKnown() && i < v.LengthInt(); i++ {
			if o, ok := d.Origin[config.ElementName(a.Name, i)]; ok {
				fmt.Fprintf(b, " [%d] from %s", i, o)
			}
		}
		fmt.Fprintf(b, " @%d\n", d.Range(a.Name).Start.Line)
	}
	if len(d.DependsOn) > 0 {
		fmt.Fprintf(b, "  needs %v\n", d.DependsOn)
	}
	if len(d.DependsOnBlocks) > 0 {
		fmt.Fprintf(b, "  after %v\n", d.DependsOnBlocks)
	}
	if len(d.DeferUntil) > 0 {
		fmt.Fprintf(b, "  defer %v\n", d.DeferUntil)
	}
	if l := d.Block.Lifecycle; l.PreventDestroy || l.IgnoreChanges != nil || l.Allow != nil {
		fmt.Fprintf(b, "  lifecycle %v %v %v\n", l.PreventDestroy, l.IgnoreChanges, l.Allow)
	}
	if d.Block.Lifecycle.CreateBeforeDestroy {
		fmt.Fprintln(b, "  create before destroy")
	}
	for _, t := range d.Triggers {
		fmt.Fprintf(b, "  replaced by %s %s\n", t.Addr, t.Attr)
	}
}

func show(v cty.Value) string {
	bare, marks := v.UnmarkDeep()
	var suffix string
	for _, m := range slices.Sorted(maps.Keys(names(marks))) {
		suffix += " " + m
	}
	if !bare.IsWhollyKnown() {
		return strings.ReplaceAll(fmt.Sprintf("%#v", bare), "cty.", "") + suffix
	}
	j, err := ctyjson.Marshal(bare, bare.Type())
	if err != nil {
		return err.Error()
	}
	return string(j) + suffix
}

func names(marks cty.ValueMarks) map[string]bool {
	out := map[string]bool{}
	for m := range marks {
		out[fmt.Sprintf("(%v)", m)] = true
	}
	return out
}
