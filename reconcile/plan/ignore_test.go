package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/reconcile/plan"
	"hew/schema"
)

// box is a kind whose attributes have parts.
var box = &schema.Kind{
	Name: "box", Collection: "groups/{group}/boxes", Match: schema.ByKey("name"),
	Attrs: []schema.Attr{
		{Name: "name", Type: cty.String, Mode: schema.Required},
		{Name: "labels", Type: cty.Map(cty.String)},
		{Name: "shape", Type: cty.DynamicPseudoType},
		{Name: "lines", Type: cty.List(cty.String)},
		{Name: "secrets", Type: cty.Map(cty.String), Mask: schema.SecretValue{}},
	},
}

// TestIgnore checks that ignored values are the live ones in comparisons, in requests and in the
// ledger.
func TestIgnore(t *testing.T) {
	t.Parallel()
	text := cty.StringVal
	labels := func(pairs ...string) cty.Value {
		if len(pairs) == 0 {
			return cty.MapValEmpty(cty.String)
		}
		m := map[string]cty.Value{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = text(pairs[i+1])
		}
		return cty.MapVal(m)
	}
	shape := func(level cty.Value, rest ...cty.Value) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"level": level, "inner": cty.TupleVal(rest)})
	}
	list := func(l ...string) cty.Value {
		var vs []cty.Value
		for _, s := range l {
			vs = append(vs, text(s))
		}
		return cty.ListVal(vs)
	}
	a := config.Ignore{Attr: "labels", Path: cty.IndexStringPath("a")}
	level := config.Ignore{Attr: "shape", Path: cty.GetAttrPath("level")}
	inner := config.Ignore{Attr: "shape", Path: cty.GetAttrPath("inner").IndexInt(0).GetAttr("x")}
	x := func(s string) cty.Value { return cty.ObjectVal(map[string]cty.Value{"x": text(s), "y": text("y")}) }
	for name, tt := range map[string]struct {
		ignore     config.Ignore
		elem       string
		attr       string
		want, live cty.Value
		last       cty.Value // applied last, with the same lifecycle
		diff       string
	}{
		"a key of a map": {
			ignore: a, attr: "labels", want: labels("a", "1", "b", "2"), live: labels("a", "9", "b", "2"),
		},
		"beside it": {ignore: a, attr: "labels", want: labels("a", "1", "b", "2"),
			live: labels("a", "9", "b", "3"), last: labels("a", "1", "b", "2"),
			diff: `labels {"a":"9","b":"3"} -> {"a":"9","b":"2"} drift`},
		"moved in both": {ignore: a, attr: "labels", want: labels("a", "5", "b", "2"),
			live: labels("a", "9", "b", "1"), last: labels("a", "1", "b", "1"),
			diff: `labels {"a":"9","b":"1"} -> {"a":"9","b":"2"} config`},
		"only declared": {ignore: a, attr: "labels", want: labels("a", "1"), live: labels()},
		"only live": {
			ignore: a, attr: "labels", want: labels("b", "2"), live: labels("a", "1", "b", "2"),
		},
		"nothing live": {ignore: a, attr: "labels", want: labels("a", "1", "b", "2"),
			live: cty.NullVal(cty.Map(cty.String)), diff: `labels null -> {"b":"2"} unknown`},
		"an attribute of an object": {ignore: level, attr: "shape", want: shape(cty.NumberIntVal(1), text("i")),
			live: shape(cty.NumberIntVal(2), text("i"))},
		"the other attribute": {ignore: level, attr: "shape", want: shape(cty.NumberIntVal(1), text("i")),
			live: shape(cty.NumberIntVal(2), text("j")),
			diff: `shape {"inner":["j"],"level":2} -> {"inner":["i"],"level":2} unknown`},
		"unknown and ignored": {ignore: level, attr: "shape",
			want: shape(cty.UnknownVal(cty.Number), text("i")), live: shape(cty.NumberIntVal(2), text("i"))},
		"deep within": {
			ignore: inner, attr: "shape", want: shape(cty.True, x("1")), live: shape(cty.True, x("2")),
		},
		"deep, and not there": {ignore: inner, attr: "shape", want: shape(cty.True),
			live: shape(cty.True, x("2")),
			diff: `shape {"inner":[{"x":"2","y":"y"}],"level":true} -> {"inner":[],"level":true} unknown`},
		"an item of a list": {ignore: config.Ignore{Attr: "lines", Path: cty.IndexIntPath(1)}, attr: "lines",
			want: list("a", "b"), live: list("a", "c")},
		"an item that is not there": {ignore: config.Ignore{Attr: "lines", Path: cty.IndexIntPath(1)}, attr: "lines",
			want: list("a", "b"), live: list("a"), diff: `lines ["a"] -> ["a","b"] unknown`},
		"a secret within": {ignore: a, attr: "labels", want: labels("a", "1", "b", "2").Mark(schema.Secret),
			live: labels("a", "9", "b", "2")},
		"not readable": {ignore: a, attr: "secrets", want: labels("a", "1"), live: labels("a", "9"),
			diff: `secrets (secret) -> (secret) unknown (not readable)`},
		"one element": {
			ignore: config.Ignore{Elem: "Bob"}, elem: "bob", attr: "name", want: text("n"), live: text("m"),
		},
		"another element": {ignore: config.Ignore{Elem: "bob"}, elem: "eve", attr: "name", want: text("n"),
			live: text("m"), diff: `name "m" -> "n" unknown`},
		"an attribute of one element": {ignore: config.Ignore{Elem: "bob", Attr: "lines"}, elem: "bob", attr: "name",
			want: text("n"), live: text("m"), diff: `name "m" -> "n" unknown`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := desired(object(box, "", values{tt.attr: tt.want}), tt.ignore)
			d.Addr.Elem = tt.elem
			var entry *ledger.Entry
			if tt.last != cty.NilVal {
				entry = &ledger.Entry{Owned: differ.Own(d, object(box, "", values{tt.attr: tt.last}))}
			}
			paths := differ.Diff(d, object(box, "7", values{tt.attr: tt.live}), entry)
			require.Equal(t, tt.diff, lines(paths))
		})
	}
}

func TestIgnoredAsAWholeIsSentAsItIs(t *testing.T) {
	t.Parallel()
	d := desired(object(box, "", values{"name": cty.StringVal("declared")}), config.Ignore{Attr: "name"})
	live := object(box, "7", values{"name": cty.StringVal("live")})
	require.Equal(t, cty.StringVal("live"), plan.KeepIgnored(d, box.Attr("name"), cty.StringVal("declared"), live))
	require.Equal(t, cty.StringVal("declared"),
		plan.KeepIgnored(d, box.Attr("name"), cty.StringVal("declared"), object(box, "7", nil)),
		"where the host does not tell")
}
