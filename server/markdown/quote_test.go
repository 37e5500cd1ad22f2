package markdown

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQuoteMentions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                              "",
		"hi @ann, and @acme/team-1.":    "hi `@ann`, and `@acme/team-1`.",
		"@ann":                          "`@ann`",
		"(@ann)":                        "(`@ann`)",
		"mail ann@example.com":          "mail ann@example.com",
		"`@ann` and ``a ` @ann`` @bob":  "`@ann` and ``a ` @ann`` `@bob`",
		"run `npm i @scope/x`, @bob":    "run `npm i @scope/x`, `@bob`",
		"an open ` and @bob":            "an open ` and `@bob`",
		"```\n@ann\n```\n@bob":          "```\n@ann\n```\n`@bob`",
		"```\n``` go @ann\n@x\n```\n@b": "```\n``` go @ann\n@x\n```\n`@b`",
		"~~~~\n@ann\n~~~\n@x\n~~~~\n@b": "~~~~\n@ann\n~~~\n@x\n~~~~\n`@b`",
		"@@ -1 +1 @@":                   "@@ -1 +1 @@",
		"see @a-b_c.":                   "see `@a-b_c`.",
	} {
		require.Equal(t, want, QuoteMentions(text), text)
	}
}
