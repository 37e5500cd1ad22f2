package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzDiffs: kept and removed tokens make up the old text, kept and added ones the
// new text, and a common beginning is kept.
func FuzzDiffs(f *testing.F) {
	numbered := func(letter string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%s%d\n", letter, i)
		}
		return b.String()
	}
	for _, pair := range [][2]string{
		{"", ""}, {"", "a"}, {"a\nb\nc", "a\nc"}, {"a\na\na", "a\na"}, {"x\ny", "y\nx"},
		{numbered("a", 300), numbered("b", 300)},
		{"head\n" + numbered("a", 4200) + "tail", "head\n" + numbered("b", 4200) + "tail"}, // too much to compare
		{numbered("a", 0xD810), numbered("a", 10) + "x\n" + numbered("a", 0xD810)},
	} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		x, y := strings.Split(before, "\n"), strings.Split(after, "\n")
		var was, will []string
		all := diffs(x, y)
		for _, s := range all {
			require.NotEmpty(t, s.Tokens)
			if s.Op != '+' {
				was = append(was, s.Tokens...)
			}
			if s.Op != '-' {
				will = append(will, s.Tokens...)
			}
		}
		require.Equal(t, x, was)
		require.Equal(t, y, will)
		if x[0] == y[0] {
			require.Equal(t, ' ', all[0].Op)
		}
	})
}
