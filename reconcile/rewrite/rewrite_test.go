package rewrite_test

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"hew/provider"
	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/golden"
	"hew/reconcile/plan"
	"hew/reconcile/rewrite"
	"hew/schema"
)

// secret is the secret in the cases, which no output may contain.
const secret = "hunter2"

// TestAdopt rewrites a configuration for each case. Besides its files, a case has the file host
// with the drift, one line each:
//
//	ADDRESS ATTRIBUTE = VALUE  the host has another value; of references { id, path }
//	ADDRESS["KEY"] + OBJECT    an undeclared element of an exclusive set
//	ADDRESS -                  it is gone from the host
//
// and the outcome: said lists what was written and what was left, want/FILE is a changed file. The
// changed files state what the host has.
func TestAdopt(t *testing.T) {
	t.Parallel()
	golden.Cases(t, "testdata", func(t *testing.T, archive *txtar.Archive) []txtar.File {
		c := read(archive)
		return slices.Concat(c.given, c.adopt(t))
	})
}

type adoption struct {
	given []txtar.File
	files fstest.MapFS
	host  string
}

func read(archive *txtar.Archive) adoption {
	c := adoption{files: fstest.MapFS{}}
	for _, f := range archive.Files {
		if f.Name == "said" || strings.HasPrefix(f.Name, "want/") {
			continue
		}
		c.given = append(c.given, f)
		if f.Name == "host" {
			c.host = string(f.Data)
			continue
		}
		c.files[path.Join("work", f.Name)] = &fstest.MapFile{Data: f.Data}
	}
	return c
}

func (c adoption) adopt(t *testing.T) []txtar.File {
	cfg, before := c.load(t)
	p := c.drift(t, cfg, before)
	result := rewrite.Adopt(cfg, p)
	var said strings.Builder
	for _, v := range result.Written {
		fmt.Fprintf(&said, "wrote %s\n", line(v))
	}
	for _, v := range result.Manual {
		fmt.Fprintf(&said, "left  %s: %s\n", line(v), v.Why)
	}
	out := []txtar.File{{Name: "said", Data: []byte(said.String())}}
	require.NotContains(t, said.String(), secret)
	for _, f := range result.Files {
		require.NotContains(t, f.Redacted.Before+f.Redacted.After, secret)
		require.Equal(t, strings.Count(string(f.After), "\n"), strings.Count(f.Redacted.After, "\n"))
		require.Equal(t, bytes.Count(f.Before, []byte(secret)), bytes.Count(f.After, []byte(secret)), "secrets stay")
		out = append(out, txtar.File{Name: "want/" + f.Name, Data: f.After})
		c.files[path.Join("work", f.Name)] = &fstest.MapFile{Data: f.After}
	}
	_, after := c.load(t)
	for _, v := range result.Written {
		holds(t, p, after, v)
	}
	return out
}

func line(v rewrite.Value) string {
	text := v.Addr.String()
	if v.Attr != "" {
		text += " " + v.Attr
	}
	if v.Live != "" {
		text += " = " + v.Live
	}
	return fmt.Sprintf("%s (%s:%d)", text, v.At.Filename, v.At.Start.Line)
}

// holds checks that a written value means the live one.
func holds(t *testing.T, p *plan.Plan, now []config.Desired, v rewrite.Value) {
	c := p.Changes[slices.IndexFunc(p.Changes, func(c plan.Change) bool { return c.Addr == v.Addr })]
	i := slices.IndexFunc(now, func(d config.Desired) bool { return d.Addr == v.Addr })
	require.Equal(t, c.Action != plan.Create, i >= 0, v.Addr)
	if i < 0 {
		return
	}
	for a, live := range c.Before.Value.All() {
		if written := now[i].Object.Get(a.Name); c.Stray() && a.RefKind() == "" {
			require.True(t, a.Agrees(written, live), "%s %s", v.Addr, a.Name)
		}
	}
	for _, p := range c.Paths {
		if c.Desired().WrittenName(p.Attr.Name) == v.Attr && p.Attr.RefKind() == "" {
			require.True(t, p.Attr.Agrees(now[i].Object.Get(p.Attr.Name), p.Before), "%s %s", v.Addr, v.Attr)
		}
	}
}

func (c adoption) load(t *testing.T) (*config.Config, []config.Desired) {
	cfg, diags := config.Load(t.Context(), c.files, "work", provider.Kinds(), config.Vars{Partial: true})
	require.False(t, diags.HasErrors(), diags.Error())
	result, diags := cfg.NewEval().Run(t.Context(), nobody{})
	require.False(t, diags.HasErrors(), diags.Error())
	return cfg, result.Instances
}

// drift returns the plan of the lines of host.
func (c adoption) drift(t *testing.T, cfg *config.Config, all []config.Desired) *plan.Plan {
	p := &plan.Plan{}
	change := func(at string) *plan.Change {
		for i := range p.Changes {
			if p.Changes[i].Addr.String() == at {
				return &p.Changes[i]
			}
		}
		a, err := addr.Parse(at)
		require.NoError(t, err)
		block := cfg.Block(a.Block)
		require.NotNil(t, block, at)
		if block.Kind.Set != nil { // which its elements have no other keys than
			a.Elem, err = strconv.Unquote(a.Key)
			require.NoError(t, err, at)
			a.Key = ""
		}
		made := plan.Change{Addr: a, Kind: block.Kind, Action: plan.Update, Decl: &block.DeclRange}
		if i := slices.IndexFunc(all, func(d config.Desired) bool { return d.Addr == a }); i >= 0 {
			made.Origin, made.Kind = plan.FromBlock{Desired: &all[i]}, all[i].Object.Kind
		}
		p.Changes = append(p.Changes, made)
		return &p.Changes[len(p.Changes)-1]
	}
	for row := range strings.Lines(c.host) {
		at, rest, _ := strings.Cut(strings.TrimSpace(row), " ")
		ch := change(at)
		switch name, value, _ := strings.Cut(rest, " "); name {
		case "-":
			ch.Action, ch.Cause, ch.Gone = plan.Create, plan.ByDrift, true
		case "+":
			ch.Action, ch.Cause, ch.Origin = plan.Delete, plan.ByDrift, plan.FromClaim{}
			ch.Kind = provider.Kinds().Resources[ch.Kind.Set.Element]
			ch.Before.Kind = ch.Kind
			for name, v := range evaluated(t, value).AsValueMap() {
				a := ch.Kind.Attr(name)
				ch.Before.Value.Set(a, live(t, a, v))
			}
		default:
			a := ch.Kind.Attr(name)
			require.NotNil(t, a, row)
			ch.Paths = append(ch.Paths, plan.PathChange{Attr: a, Cause: plan.ByDrift,
				Before: live(t, a, evaluated(t, strings.TrimPrefix(value, "= "))),
				After:  ch.Desired().Object.Get(name)})
		}
	}
	slices.SortStableFunc(p.Changes, func(a, b plan.Change) int {
		return cmp.Compare(a.Addr.String(), b.Addr.String())
	})
	return p
}

func evaluated(t *testing.T, text string) cty.Value {
	e, diags := hclsyntax.ParseExpression([]byte(text), "host", hcl.InitialPos)
	require.False(t, diags.HasErrors(), "%s: %s", text, diags)
	v, diags := e.Value(nil)
	require.False(t, diags.HasErrors(), "%s: %s", text, diags)
	return v
}

// live returns a value in the form of a host.
func live(t *testing.T, a *schema.Attr, v cty.Value) cty.Value {
	ref := func(v cty.Value) *schema.Ref {
		r := &schema.Ref{}
		for name, text := range v.AsValueMap() {
			*map[string]*string{"id": &r.ID, "path": &r.Path}[name] = text.AsString()
		}
		return r
	}
	switch {
	case a.ManyRefs():
		var refs []*schema.Ref
		for _, item := range v.AsValueSlice() {
			refs = append(refs, ref(item))
		}
		return schema.RefsVal(refs)
	case a.RefKind() != "":
		return schema.RefVal(ref(v))
	case a.Type == cty.NilType:
		return v
	}
	v, err := convert.Convert(v, a.Type)
	require.NoError(t, err, a.Name)
	return v
}

// nobody is a host about which nothing is known.
type nobody struct{}

func (nobody) Live(addr.Instance) schema.Sparse { return schema.Sparse{} }
func (nobody) Blocked(addr.Instance) string     { return "" }
func (nobody) Data(addr.Instance, schema.Object) (map[string]cty.Value, bool) {
	return nil, false
}
