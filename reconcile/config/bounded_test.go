package config

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/file"
	"hew/reconcile/function"
)

// evaluateBounded evaluates an expression as configurations do, and as HCL does it.
func evaluateBounded(t *testing.T, src string, limit int64, vars map[string]cty.Value) (
	v cty.Value, diags hcl.Diagnostics, byHCL func() (cty.Value, hcl.Diagnostics),
) {
	t.Helper()
	parse := func() hclsyntax.Expression {
		expr, diags := hclsyntax.ParseExpression([]byte(src), "test", hcl.InitialPos)
		require.False(t, diags.HasErrors(), diags.Error())
		return expr
	}
	work := function.NewWork(limit)
	ctx := &hcl.EvalContext{Functions: function.New(file.Dir{}, time.Time{}, work), Variables: vars}
	expr := parse()
	bounded{work}.rewrite(&expr)
	v, diags = expr.Value(ctx)
	return v, diags, func() (cty.Value, hcl.Diagnostics) { work.Reset(); return parse().Value(ctx) }
}

// largeValues returns variables of n elements.
func largeValues(n int) map[string]cty.Value {
	names, objects, byName := make([]cty.Value, n), make([]cty.Value, n), map[string]cty.Value{}
	for i := range names {
		names[i] = cty.StringVal(fmt.Sprint("x", i))
		objects[i] = cty.ObjectVal(map[string]cty.Value{"name": names[i], "n": cty.NumberIntVal(int64(i))})
		byName[names[i].AsString()] = objects[i]
	}
	mixed := slices.Clone(objects)
	mixed[1] = cty.ObjectVal(map[string]cty.Value{"name": cty.True.Mark("m"), "n": cty.StringVal("1")})
	return map[string]cty.Value{"t": cty.TupleVal(names), "os": cty.TupleVal(objects), "o": cty.ObjectVal(byName),
		"mixed": cty.TupleVal(mixed), "odd": cty.TupleVal(append(slices.Clone(names), cty.EmptyTupleVal)),
		"unknown": cty.UnknownVal(cty.Bool), "any": cty.DynamicVal, "l": cty.ListVal(names)}
}

// TestBoundedSameValues: expressions have the value that HCL gives them.
func TestBoundedSameValues(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		`true ? t : []`, `false ? [] : t`, `true ? os : []`, `false ? os : []`, `true ? mixed : []`, `true ? o : {}`,
		`true ? os : null`, `true ? os : any`, `unknown ? os : []`, `unknown ? os : os`, `true ? os : mixed`,
		`true ? o : tomap({})`, `true ? t : tolist([])`, `true ? t : l`, `true ? t : toset(l)`, `true ? [t] : [[]]`,
		`true ? { a = os, b = 1 } : { a = [], b = "" }`, `true ? { a = os } : { b = "" }`, `true ? odd : []`,
		`true ? t : 1`, `true ? o : []`, `"${true ? t : []}"`, `true ? (false ? 1 : os) : []`, `null ? os : []`,
		`[for x in t : x if contains(t, x)]`, `[for x in l : contains(l, "${x}!")]`, `[for x in os : contains(os, x)]`,
		`[for x in t : contains(t, 1)]`, `[for x in t : contains(mixed, x)]`, `[for x in t : contains(t, null)]`,
		`{ for k, v in o : k => v.n... }`, `contains(l, any)`, `contains(1, 2)`, `contains(null, 2)`,
	} {
		vars := largeValues(120)
		got, gotDiags, byHCL := evaluateBounded(t, src, function.MaxWork, vars)
		want, wantDiags := byHCL()
		require.Equal(t, wantDiags.HasErrors(), gotDiags.HasErrors(), "%s: %s %s", src, wantDiags, gotDiags)
		switch {
		case !wantDiags.HasErrors() && !want.IsKnown(): // what is known of it may be more
			require.True(t, !got.IsKnown() && want.Type().Equals(got.Type()), src)
		case !wantDiags.HasErrors():
			require.True(t, want.RawEquals(got), "%s\nwant %#v\ngot  %#v", src, want, got)
		default:
			require.Equal(t, wantDiags[0].Summary, gotDiags[0].Summary, src)
		}
	}
}

// TestBoundedTime: conditionals and searches of 8,000 elements do not take quadratic time, which
// would be seconds each. It is not parallel, and compares with a loop over the elements.
func TestBoundedTime(t *testing.T) {
	vars := largeValues(8_000)
	took := func(src string) time.Duration {
		start := time.Now()
		_, diags, _ := evaluateBounded(t, src, function.MaxWork, vars)
		require.False(t, diags.HasErrors(), "%s: %s", src, diags)
		return time.Since(start)
	}
	for _, src := range []string{
		`true ? t : []`, `true ? os : []`, `true ? o : {}`, `true ? mixed : []`, `true ? o : tomap({})`,
		`true ? t : tolist([])`, `true ? { a = os } : { a = [] }`, `[for x in t : x if contains(t, x)]`,
		`[for x in os : x if contains(l, x.name)]`,
	} {
		d, scale := took(src), took(`[for x in os : { n = x.name }]`)
		for range 5 { // the machine may have had other things to do
			if d < 20*scale {
				break
			}
			d, scale = min(d, took(src)), max(scale, took(`[for x in os : { n = x.name }]`))
		}
		t.Logf("%s %s of %s", src, d, scale)
		require.Less(t, d, 20*scale, src)
	}
}

// TestBoundedWork: loops within loops and functions within loops end with one error.
func TestBoundedWork(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		`[for x in t : length([for y in t : y if y == x])]`, `[for x in t : [for y in t : x]]`,
		`[for x in t : lookup(o, x, null)]`, `[for x in t : contains(range(200), x)]`, `{ for x in t : x => index(l, x) }`,
		`"%{ for x in t }${length(distinct(l))}%{ endfor }"`,
	} {
		_, diags, _ := evaluateBounded(t, src, 10_000, largeValues(200))
		require.Len(t, diags, 1, "%s: %s", src, diags)
		require.Contains(t, diags[0].Detail, "visited more than 10000 elements", src)
	}
	_, diags, _ := evaluateBounded(t, `[for x in t : o[x].n]`, 10_000, largeValues(5000))
	require.Empty(t, diags)
}
