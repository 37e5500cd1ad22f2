package diff_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/diff"
)

func TestFindLine(t *testing.T) {
	t.Parallel()
	const patch = "@@ -2,3 +2,4 @@ func\n a\n-b\n+B\n+C\n d\n@@ -20 +21,0 @@\n-x\n\\ No newline at end of file\n"
	shown := func(old bool) (lines []diff.Line) {
		for n := range 30 {
			if line, ok := diff.FindLine(patch, n, old); ok {
				lines = append(lines, line)
			}
		}
		return lines
	}
	require.Equal(t, []diff.Line{{2, 2}, {0, 3}, {0, 4}, {4, 5}}, shown(false))
	require.Equal(t, []diff.Line{{2, 2}, {3, 0}, {4, 5}, {20, 0}}, shown(true))
}
