package function

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
)

// TestNesting: what is nested so deeply that parsers overflow the stack is refused before it is
// parsed, at its line.
func TestNesting(t *testing.T) {
	t.Parallel()
	deep := func(open, inner, end string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	for _, brackets := range [][2]string{{"(", ")"}, {"[", "]"}, {"{a=", "}"}, {`"${`, `}"`}, {"abs(", ")"}} {
		for n, refused := range map[int]bool{maxNesting / 2: false, 100_000: true} {
			src := []byte("locals {\n a = " + deep(brackets[0], "1", brackets[1], n-1) + "\n}\n")
			tokens, _ := hclsyntax.LexConfig(src, "main.hcl", hcl.InitialPos)
			d := CheckNesting(tokens)
			require.Equal(t, refused, d != nil, "%d times %s", n, brackets[0])
			if d != nil {
				require.Equal(t, 2, d.Subject.Start.Line)
				require.Contains(t, d.Detail, "at most 500 levels")
			}
		}
	}
	for _, src := range []string{
		deep(`{"a":`, "1", "}", 100_000), deep("[", "1", "]", 100_000), `{"a":"${` + deep("(", "1", ")", 100_000) + `}"}`,
	} {
		require.NotNil(t, CheckJSONNesting([]byte(src), "main.hcl.json"))
	}
	require.Nil(t, CheckJSONNesting([]byte(`{"a":"`+strings.Repeat("(", 1000)+`","b":"\"[{"}`), "main.hcl.json"))
	_, err := jsondecode.Call([]cty.Value{cty.StringVal(deep("[", "", "]", 2000))})
	require.ErrorContains(t, err, "more than 500 levels deep")
	_, err = yamldecode.Call([]cty.Value{cty.StringVal(deep("[", "", "]", 2000))})
	require.ErrorContains(t, err, "more than 500 levels deep")
}

// An expression with so many operators that evaluation overflows the stack is refused before it is
// parsed. Many expressions with few operators are not.
func TestOperators(t *testing.T) {
	t.Parallel()
	check := func(src string) *hcl.Diagnostic {
		tokens, _ := hclsyntax.LexConfig([]byte(src), "main.hcl", hcl.InitialPos)
		return CheckNesting(tokens)
	}
	const n = maxOperators + 1
	for name, long := range map[string]string{
		"not": strings.Repeat("!", n), "minus": strings.Repeat("-", n), "plus": strings.Repeat("1 + ", n),
		"and": strings.Repeat("true && ", n), "condition": strings.Repeat("true ? 1 : ", n),
		"over lines": "(" + strings.Repeat("1 +\n", n), "over brackets": strings.Repeat("1 - (2 + ", 100) +
			strings.Repeat("1 - ", n-200),
	} {
		d := check("locals {\n a = " + long)
		require.NotNil(t, d, name)
		require.Equal(t, "Expression too long", d.Summary)
	}
	require.Nil(t, check("locals {\n"+strings.Repeat(" a = 1 + -(1 + 2)\n", n)+"}\n"))
	require.Nil(t, check("locals {\n a = ["+strings.Repeat("-1, ", n)+"]\n b = "+strings.Repeat("} ", n)+"\n}\n"))
	long := `{"a": "${` + strings.Repeat("!", n) + `true}"}`
	require.NotNil(t, CheckJSONNesting([]byte(long), "main.hcl.json"))
	require.Nil(t, CheckJSONNesting([]byte(`{"a": "${1}`+strings.Repeat("-", n)+`"}`), "main.hcl.json"))
}
