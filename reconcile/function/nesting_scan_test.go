package function

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/require"
)

// FuzzNesting compares the scan of a file with its tokens: what the scan lets pass keeps the
// limits.
func FuzzNesting(f *testing.F) {
	for _, src := range []string{
		"a = 1\n", "a = \"b\"\nb {\n  c = [1, 2]\n}\n", `a = "${b ? "c" : d[0]}"`, `a = "${"${"${1}"}"}"`,
		"a = ((((1))))", "# (((\na = 1", "// [[[\na = [[1]]", "/* {{{ */ a = 1", "/* (",
		"a = <<EOT\n((((\nEOT\n", "a = 1 < 2", "a = !!!!!b", `a = "$${(("`, `a = "%{ if b }c%{ endif }"`,
		`a = "\"(("`, `a = "\u0028"`, "a = \"b\nc = (((1)))", "a = ')((('", "a = (1 +\n2 +\n3 +\n4 +\n5)",
		"a = [-1, -2, -3, -4, -5]", "a = -1 # b\nb = -1\nc = -1", "a = {b=>c}", "a = \"$\"\n", `a = "$"((((`,
		`a = "${~ b ~}"`, "a = (]", "}", `a = "${ ( }"`, `a = "100%"`, "a-b = c-d-e-f-g-h", "\ufeffa = 1",
		"a = \"\xff((\"", "a = 1 \xe7#!!!!!",
	} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		most := limits{nesting: 3, operators: 4}
		if !isWithin(src, most) {
			return
		}
		tokens, _ := hclsyntax.LexConfig(src, "main.hcl", hcl.InitialPos)
		require.Nil(t, checkNesting(tokens, most), "%q", src)
	})
}

// TestNestingScan: the scan knows what most files are made of, so that they are lexed only once.
func TestNestingScan(t *testing.T) {
	t.Parallel()
	file := strings.Repeat(`
# A comment (with a bracket, and - an operator
resource "project" "p" {
  namespace   = group.t["a"].id // the team's
  path        = "p-${each.key == "a" ? "b" : lower(each.value)}"
  topics      = ["a", "b"] /* two [ */
  description = "He said \"hi\" -- twice"
  for_each    = { for k, v in var.all : k => v if v > 1 && v != -3 }
}
`, 2*maxOperators)
	require.True(t, isWithin([]byte(file), usual))
	for src, reason := range map[string]string{
		"a = <<EOT\n(\nEOT\n": "heredoc", `a = "$${b}"`: "escape", "a = \"\n": "open string",
		"a = (]": "wrong bracket", "a = (": "open",
		"a = " + strings.Repeat("(", maxNesting) + strings.Repeat(")", maxNesting) + " + ((1))": "",
		"a = " + strings.Repeat("(", maxNesting+1) + strings.Repeat(")", maxNesting+1):          "too deep",
		"a = " + strings.Repeat("1 + ", maxOperators+1) + "1":                                   "too many operators",
	} {
		require.Equal(t, reason == "", isWithin([]byte(src), usual), reason)
	}
}
