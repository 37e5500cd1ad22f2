package foreign_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config/composite"
	"hew/reconcile/config/foreign"
	"hew/schema"
)

// hook is the alias of the tests: it has every way to write a value.
func hook() *schema.Alias {
	kind := &schema.Kind{Name: "hook", Attrs: []schema.Attr{
		{Name: "id", Mode: schema.Computed, Type: cty.Number},
		{Name: "project", Mode: schema.Required},
		{Name: "name", Type: cty.String},
		{Name: "branch", Type: cty.String},
		{Name: "headers", Type: cty.Map(cty.String), Mask: schema.SecretKeys{Hidden: []string{"key"}}},
		{Name: "limits", Type: cty.Object(map[string]cty.Type{"size": cty.Number})},
		{Name: "slug", Type: cty.String},
		{Name: "users", Type: cty.List(cty.String)},
		{Name: "groups", Type: cty.List(cty.String)},
	}, Blocks: []schema.Block{{Name: "allowed", Of: map[string]string{"user": "users", "group": "groups"}}}}
	upper := func(v cty.Value) (cty.Value, error) { return cty.StringVal(strings.ToUpper(v.AsString())), nil }
	return schema.NewAlias(schema.Alias{
		Type: "gitlab_hook", Kind: kind, ID: "{project}:{name}",
		Fixed: map[string]cty.Value{"slug": cty.StringVal("chat")},
		Names: []schema.Naming{
			{Name: "project_id", Attr: "project"},
			{Name: "title", Attr: "name", In: upper,
				Out: func(v cty.Value) cty.Value { return cty.StringVal(strings.ToLower(v.AsString())) }},
			{Name: "push_branch", Attr: "branch", Default: cty.StringVal("main")},
			{Name: "branch_name", Attr: "branch", Old: true},
			{Name: "header_key", Attr: "headers", Part: "key"},
			{Name: "header_tag", Attr: "headers", Part: "tag"},
			{Name: "limits", Attr: "limits", Shape: schema.Single,
				Fields: []schema.Naming{{Name: "most", Attr: "size"}}},
			{Name: "allowed", Attr: "allowed", Shape: schema.Repeated,
				Fields: []schema.Naming{{Name: "by", Attr: "user"}}},
			{Name: "rules", Attr: "rule", Shape: schema.Beside},
			{Name: "avatar", Note: "hew uploads no pictures"},
			{Name: "wiki", Refused: true},
		},
	})
}

// recorder keeps what a translation reports.
type recorder struct{ lines []string }

func (r *recorder) Fail(at hcl.Range, summary, format string, args ...any) {
	r.lines = append(r.lines, fmt.Sprintf("%d: error: %s", at.Start.Line, summary))
}

func (r *recorder) Note(at hcl.Range, format string, args ...any) {
	r.lines = append(r.lines, fmt.Sprintf("%d: note", at.Start.Line))
}

func (r *recorder) Mask(e hcl.Expression) {
	r.lines = append(r.lines, fmt.Sprintf("%d: masked", e.Range().Start.Line))
}

func (r *recorder) Content(body hcl.Body, s *hcl.BodySchema, _ string, _ hcl.Range) *hcl.BodyContent {
	content, _ := body.Content(s)
	return content
}

// translate translates the arguments and blocks of a gitlab_hook, and evaluates
// what comes out: "LINE: attribute = value".
func translate(t *testing.T, src string) (out []string, incomplete bool) {
	t.Helper()
	f, diags := hclsyntax.ParseConfig([]byte(src), "main.tf", hcl.InitialPos)
	require.False(t, diags.HasErrors(), diags)
	content, diags := f.Body.Content(foreign.BodySchema(hook(), nil))
	require.False(t, diags.HasErrors(), diags)
	var blocks []composite.Block
	for _, b := range content.Blocks {
		blocks = append(blocks, composite.Block{Name: b.Type, Body: b.Body, Range: b.DefRange, Content: b.DefRange})
	}
	r := &recorder{}
	got := foreign.Translate(foreign.Block{
		Alias: hook(), Type: "gitlab_hook", Name: "x", Address: "gitlab_hook.x", Attributes: content.Attributes,
		Blocks: blocks,
	}, schema.Catalog{}, r)
	for _, a := range got.Arguments {
		v, diags := a.Expr.Value(&hcl.EvalContext{Variables: map[string]cty.Value{"none": cty.NullVal(cty.String)}})
		require.False(t, diags.HasErrors(), diags)
		line := fmt.Sprintf("%d: %s = %#v", a.Range.Start.Line, a.Attr.Name, v)
		for _, other := range a.Others {
			line += fmt.Sprintf(", or %d", other.Range.Start.Line)
		}
		if a.Fallback != nil {
			v, diags = a.Fallback.Value(nil)
			require.False(t, diags.HasErrors(), diags)
			line += fmt.Sprintf(", else %#v", v)
		}
		out = append(out, line)
	}
	for _, in := range got.Ignored {
		out = append(out, fmt.Sprintf("%d: ignored, refused %t", in.NameRange.Start.Line, in.Refused))
	}
	return append(out, r.lines...), got.Incomplete
}

// A translated block states the kind's own attributes, each where it is written.
func TestTranslate(t *testing.T) {
	t.Parallel()
	got, incomplete := translate(t, `project_id = 7
title = "Deploy"
push_branch = none
branch_name = "old"
header_tag = "a"
header_key = "b"
avatar = "a.png"
limits {
  most = 3
}
`)
	require.False(t, incomplete)
	require.ElementsMatch(t, []string{
		`1: project = cty.NumberIntVal(7)`,
		`2: name = cty.StringVal("DEPLOY")`,
		`3: branch = cty.NullVal(cty.String), or 4, else cty.StringVal("main")`,
		`6: headers = cty.ObjectVal(map[string]cty.Value{"key":cty.StringVal("b"), "tag":cty.StringVal("a")})`,
		`8: limits = cty.ObjectVal(map[string]cty.Value{"size":cty.NumberIntVal(3)})`,
		`0: slug = cty.StringVal("chat")`,
		`6: masked`,
		`7: note`,
	}, got)
}

// An argument that cannot be translated is reported on its line.
func TestTranslateErrors(t *testing.T) {
	t.Parallel()
	got, incomplete := translate(t, "wiki = true\nslug = \"x\"\ntimeouts {}\n")
	require.True(t, incomplete, "project_id is missing")
	require.ElementsMatch(t, []string{
		`0: branch = cty.StringVal("main")`,
		`0: slug = cty.StringVal("chat")`,
		`1: ignored, refused true`,
		`2: error: Value for unconfigurable attribute`,
		`3: note`,
		`0: error: Missing required argument`,
	}, got)
}

// Expressions see the kind's values by Terraform's names and in its types.
func TestValue(t *testing.T) {
	t.Parallel()
	a := hook()
	attrs := map[string]cty.Value{
		"id": cty.NumberIntVal(9), "project": cty.NumberIntVal(7), "name": cty.StringVal("DEPLOY").Mark("from"),
		"branch":  cty.UnknownVal(cty.String),
		"headers": cty.MapVal(map[string]cty.Value{"tag": cty.StringVal("a")}),
		"limits":  cty.ObjectVal(map[string]cty.Value{"size": cty.NumberIntVal(3)}),
	}
	get := func(name string) cty.Value { return attrs[name] }
	for name, want := range map[string]cty.Value{
		"id":          cty.StringVal("7:DEPLOY").Mark("from"),
		"project_id":  cty.NumberIntVal(7),
		"title":       cty.StringVal("deploy").Mark("from"),
		"push_branch": cty.UnknownVal(cty.String),
		"header_tag":  cty.StringVal("a"),
		"header_key":  cty.NullVal(cty.String),
		"limits":      cty.TupleVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"most": cty.NumberIntVal(3)})}),
	} {
		got := foreign.Value(a, a.Naming(name), get)
		require.True(t, got.RawEquals(want), "%s: %#v", name, got)
	}
}

// Names that people refer to are translated back, as are paths and import IDs.
func TestNames(t *testing.T) {
	t.Parallel()
	a := hook()
	require.ElementsMatch(t, []string{"project", "name"}, foreign.Attrs(a, "id")[1:])
	require.Equal(t, "branch", foreign.Attr(a, "push_branch"))
	require.True(t, foreign.Has(a, "title"))
	require.False(t, foreign.Has(a, "avatar"), "the kind has nothing for it")

	r := &recorder{}
	for path, want := range map[string][]foreign.Path{
		"limits 0 most": {{Attr: "limits", Path: cty.GetAttrPath("size"), Rest: 3}},
		"header_tag":    {{Attr: "headers", Path: cty.IndexStringPath("tag"), Rest: 1}},
		"avatar":        nil, // hew leaves it alone anyway
		"wiki":          nil,
		"rules":         {{Block: "rules", Rest: 1}},
		"rules 0 size":  {{Block: "rules", Attr: "size", Rest: 3}},
		"allowed":       {{Attr: "users", Rest: 1}, {Attr: "groups", Rest: 1}},
		"allowed 0 by":  {{Attr: "users", Rest: 3}},
	} {
		require.Equal(t, want, foreign.TranslatePath(a, "gitlab_hook", strings.Fields(path), hcl.Range{}, r), path)
	}
	require.Empty(t, r.lines)
	require.Empty(t, foreign.TranslatePath(a, "gitlab_hook", []string{"avatr"}, hcl.Range{}, r))
	require.Equal(t, []string{"0: error: Unsupported attribute"}, r.lines)
}
