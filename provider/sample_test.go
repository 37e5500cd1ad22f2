package provider

import (
	"encoding/json"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// samples are values that differ, and that the attribute takes.
func samples(a *schema.Attr) (fit []cty.Value) {
	var all []cty.Value
	number := func(n int64) cty.Value { return cty.NumberIntVal(n) }
	str := cty.StringVal
	switch t := a.Type; {
	case t == cty.DynamicPseudoType: // a role
		all = []cty.Value{number(5), number(15), number(30), number(37), number(50)}
	case len(a.Accepts.Words) > 0:
		for _, w := range a.Accepts.Words {
			all = append(all, str(w))
		}
	case t == cty.Bool:
		all = []cty.Value{cty.True, cty.False}
	case t == cty.Number:
		for _, n := range []int64{-1, 0, 1, 3, 6, 30, 90, 256, 700, 1500, 2048, 4096, 60000, 90000, 172800, 300000,
			400000} {
			all = append(all, number(n))
		}
	case t == cty.String:
		for _, w := range []string{"", "\u00e9 \u00f6", "two\nlines", " a ", `\d+ ${x} %{y}`,
			"10.0.0.0/8,192.168.0.0/16", "a.example,b.example", "2999-01-02", "2999-02-03",
			"NAME", "OTHER_NAME", "ssh-ed25519 AAAAC3Nz", "https://h.example/A?b={c}", "https://h.example/a",
			"a@h.example", "b@h.example", "3 days", "red", "#0f0", "2999-01-02T03:04:05Z", "2999-01-02T03:04:05+01:00",
			"0 4 * * *", "30 3 * * mon-fri", "UTC", "Europe/Berlin"} {
			all = append(all, str(w))
		}
	case t.IsSetType() && t.ElementType() == cty.String:
		all = []cty.Value{cty.SetValEmpty(cty.String), cty.SetVal([]cty.Value{str("\u00e9"), str("b"), str("a")}),
			cty.SetVal([]cty.Value{str("private")}), cty.SetVal([]cty.Value{str("group")}),
			cty.SetVal([]cty.Value{str("api")}), cty.SetVal([]cty.Value{str("api"), str("read_api")}),
			cty.SetVal([]cty.Value{str("read_registry")}), cty.SetVal([]cty.Value{str("read_registry"), str("write_registry")}),
			cty.SetVal([]cty.Value{str("github"), str("git")})}
	case t.IsSetType():
		all = []cty.Value{cty.SetValEmpty(cty.Number), cty.SetVal([]cty.Value{number(3), number(2)})}
	case t.IsMapType() && t.ElementType() == cty.Bool:
		all = []cty.Value{cty.MapValEmpty(cty.Bool), cty.MapVal(map[string]cty.Value{"one": cty.True,
			"other": cty.False}), cty.MapVal(map[string]cty.Value{"other": cty.True})}
	case t.IsMapType() && t.ElementType() == cty.Number:
		all = []cty.Value{cty.MapVal(map[string]cty.Value{"default": number(3)}),
			cty.MapVal(map[string]cty.Value{"default": number(90)})}
	case a.Partial(): // what the integration in identities takes
		for _, w := range []string{"", "\u00e9 \u00f6", "#general"} {
			all = append(all, cty.MapVal(map[string]cty.Value{"channel": str(w), "push_channel": str(w + "a"),
				"notify_only_broken_pipelines": str("true")}))
		}
	case t.IsListType():
		all = []cty.Value{cty.ListVal([]cty.Value{str("b"), str("a")}), cty.ListVal([]cty.Value{str("a"), str("b")})}
	case t.IsObjectType():
		one, other := map[string]cty.Value{}, map[string]cty.Value{}
		for name, of := range t.AttributeTypes() {
			one[name], other[name] = cty.NullVal(of), cty.NullVal(of)
			if of == cty.String {
				one[name], other[name] = str(""), str("\u00e9")
			}
			if of == cty.Bool {
				one[name], other[name] = cty.True, cty.False
			}
		}
		all = []cty.Value{cty.ObjectVal(one), cty.ObjectVal(other)}
	}
	for _, v := range all {
		if a.Accepts.Check == nil || a.Accepts.Check(v) == nil {
			fit = append(fit, v)
		}
	}
	return fit
}

// literal is a text in configuration.
func literal(t string) string {
	data, _ := json.Marshal(t) // a string never fails
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(string(data))
}

func literalOf(v cty.Value) string {
	if !v.IsNull() && v.Type() == cty.String {
		return literal(v.AsString())
	}
	return toText(v)
}

// toText is a number, a bool or null in configuration.
func toText(v cty.Value) string {
	data, _ := json.Marshal(toJSON(v)) // what JSON has
	return string(data)
}
