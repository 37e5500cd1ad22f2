package report

import (
	"testing"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
)

// H04: what a plan prints of a text, a regular expression say, is how
// configuration spells it: read back, it is the same text.
func FuzzTextsReadBack(f *testing.F) {
	for _, text := range []string{
		``, `Fixes \d+`, `^v${1,3}`, `^v$${1,3}`, `$$${x}`, `$`, `$$`, `a$`, `${`, `%{2}`, `%%{x}`, `100%`, `%`, `{}`,
		`\`, `\\`, `\"`, `"`, `'`,
		"a\nb", "a\tb\r\n", "\\n", "é", "e\u0301", "\u200b", "\x00", "\x1b[31m", "^[^\\s${}]+(?P<x>\\p{L}){1,2}$",
		"<<EOT", "#", "//",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			t.Skip("no configuration and no answer holds broken UTF-8")
		}
		want := cty.StringVal(text)
		for _, v := range []cty.Value{want, cty.TupleVal([]cty.Value{want}),
			cty.MapVal(map[string]cty.Value{text: want})} {
			expr, diags := hclsyntax.ParseExpression([]byte(ValueOf(v).Literal()), "plan", hcl.InitialPos)
			require.False(t, diags.HasErrors(), "%q: %s", ValueOf(v).Literal(), diags)
			got, diags := expr.Value(nil)
			require.False(t, diags.HasErrors(), "%q: %s", ValueOf(v).Literal(), diags)
			if v.Type().IsMapType() {
				got = cty.MapVal(got.AsValueMap())
			}
			require.True(t, v.RawEquals(got), "%q reads back as %#v", ValueOf(v).Literal(), got)
		}
	})
}
