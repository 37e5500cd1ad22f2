package diff_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/diff"
)

func TestShowsLine(t *testing.T) {
	t.Parallel()
	const patch = "@@ -2,3 +2,4 @@ func\n a\n-b\n+B\n+C\n d\n@@ -20 +21,0 @@\n-x\n\\ No newline at end of file\n"
	shown := func(old bool) (lines []int) {
		for n := range 30 {
			if diff.ShowsLine(patch, n, old) {
				lines = append(lines, n)
			}
		}
		return lines
	}
	require.Equal(t, []int{2, 3, 4, 5}, shown(false))
	require.Equal(t, []int{2, 3, 4, 20}, shown(true))
}
