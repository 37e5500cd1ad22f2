package report

import (
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/report/prose"
	"hew/schema"
)

// What stands in the place of values that cannot be shown.
const (
	Secret  = "(secret)"
	unknown = "(known after apply)"
)

// spell writes the value of an attribute as configuration would, so that what
// people read in a plan can be pasted into a file. Secrets and what is not
// known yet are named instead.
func spell(a *schema.Attr, v cty.Value) string {
	switch {
	case a.Secret || v.IsMarked():
		return Secret
	case v.IsKnown() && !v.IsNull() && a.Show != nil && !schema.IsSecret(v):
		return prose.Clean(a.Show(v))
	}
	return Literal(v)
}

// Literal is the HCL form of a value, whatever attribute it belongs to.
func Literal(v cty.Value) string {
	switch {
	case v == cty.NilVal:
		return "null"
	case v.IsMarked():
		return Secret
	case !v.IsKnown():
		return unknown
	case v.IsNull():
		return "null"
	}
	if r := schema.AsRef(v); r != nil {
		if r.Path != "" {
			return prose.Quote(r.Path)
		}
		return prose.Clean(r.String())
	}
	switch t := v.Type(); {
	case t == cty.Bool:
		return strconv.FormatBool(v.True())
	case t == cty.String && plainText(v.AsString()):
		return `"` + v.AsString() + `"`
	case t.IsObjectType() || t.IsMapType():
		if fields := entries(v); len(fields) > 0 {
			return "{ " + strings.Join(fields, ", ") + " }"
		}
		return "{}"
	case v.CanIterateElements():
		return "[" + strings.Join(entries(v), ", ") + "]"
	}
	return string(hclwrite.TokensForValue(v).Bytes())
}

// plainText tells whether a text is written in HCL as it is, as most are.
func plainText(s string) bool {
	for _, r := range []byte(s) {
		if r < ' ' || r > '~' || strings.IndexByte("\"\\$%", r) >= 0 {
			return false
		}
	}
	return true
}

// entries are the elements of a collection in HCL, "key = value" for those
// that have keys.
func entries(v cty.Value) []string {
	var all []string
	for k, e := range v.Elements() {
		if keyed(v) {
			all = append(all, label(k.AsString())+Literal(e))
		} else {
			all = append(all, Literal(e))
		}
	}
	return all
}

// Pretty is literal for a place with room: over several lines where one would
// be long.
func Pretty(v cty.Value, indent int) string {
	plain := Literal(v)
	margin := strings.Repeat(" ", indent)
	switch {
	case iterable(v) && indent+prose.Columns(plain) > wide:
		var b strings.Builder
		b.WriteString(plain[:1] + "\n")
		for k, e := range v.Elements() {
			b.WriteString(margin + "  ")
			if keyed(v) {
				b.WriteString(label(k.AsString()) + Pretty(e, indent+2) + "\n")
			} else {
				b.WriteString(Pretty(e, indent+2) + ",\n")
			}
		}
		return b.String() + margin + plain[len(plain)-1:]
	case isText(v) && multiline(v.AsString()) && strings.HasSuffix(v.AsString(), "\n"):
		return "<<-EOT\n" + margin + "  " + strings.Join(heredoc(v.AsString()), "\n"+margin+"  ") + "\n" + margin + "EOT"
	}
	return plain
}

func isText(v cty.Value) bool {
	return v != cty.NilVal && !v.IsMarked() && v.IsKnown() && !v.IsNull() && v.Type() == cty.String
}

// heredoc writes a text as the lines of an HCL heredoc, where only template
// introducers are escaped.
func heredoc(s string) []string {
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	for i, l := range lines {
		l = strings.NewReplacer("${", "$${", "%{", "%%{").Replace(l)
		lines[i] = prose.Clean(l)
	}
	return lines
}
