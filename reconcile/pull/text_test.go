package pull_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// scraps is parts of texts that are awkward to write.
var scraps = []string{
	"a", " ", "  ", "\n", "\n\n", "\t", "\r", "\r\n",
	`\`, `\\`, `\d+`, `"`, "'", "`", "$", "$$", "${", "$${", "${x}",
	"%", "%{", "%%{", "%{if}", "{", "}", "#", "//", "/*",
	"EOT", "EOT\n", "<<-EOT\n", "~",
	"\u0000", "\u0007", "\u001b[31m", "\u007f", "\u0085", "\u2028", "\ufeff", "\ufffd",
	"é", "e\u0301", "漢字", "👩‍👩‍👧", "\U000e0001",
}

// TestTexts pulls texts made of scraps, and reads them back.
func TestTexts(t *testing.T) {
	t.Parallel()
	texts := append([]string{}, scraps...)
	r := rand.New(rand.NewPCG(7, 11))
	for range 300 {
		var b strings.Builder
		for range 1 + r.IntN(8) {
			b.WriteString(scraps[r.IntN(len(scraps))])
		}
		texts = append(texts, b.String())
	}
	for _, text := range texts {
		readBack(t, text)
	}
}

// FuzzTexts pulls any text, and reads it back.
func FuzzTexts(f *testing.F) {
	for _, text := range scraps {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { readBack(t, text) })
}

// readBack pulls a group with that description and compares it with the one in the configuration.
func readBack(t *testing.T, text string) {
	if len([]rune(text)) > 500 || strings.Contains(text, "://") {
		return // longer is refused, and what may be a secret is not written
	}
	s, files, err := run(t.Context(), &fleet{description: text}, []string{"group/fleet", "-kinds=group"})
	require.NoError(t, err)
	require.Empty(t, s.Omitted)
	result := evaluated(t, files)
	require.Len(t, result.Instances, 1)
	o := result.Instances[0].Object
	want := cty.StringVal(text) // normalised, as all texts are
	a := o.Kind.Attr("description")
	got := o.Get("description")
	if !schema.Stated(o, "description") {
		got = a.Default(o)
	}
	require.True(t, a.Equal(want, got), "%q is read as %s from\n%s", text, fmt.Sprintf("%#v", got), files["fleet.hcl"])
}
