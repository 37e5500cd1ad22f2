package diff_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/diff"
	"hew/server/git/gittest"
	"hew/server/git/object"
)

// edited is a text whose lines are all different, and where each of the lines of another text is in
// it.
type edited struct {
	lines []string
	at    map[int]int // from 1
}

func edit(random *rand.Rand, before []string, round int) edited {
	after := edited{at: map[int]int{}}
	for i, line := range before {
		for range random.IntN(8) / 6 * random.IntN(4) {
			after.lines = append(after.lines, fmt.Sprintf("new %d %d", round, len(after.lines)))
		}
		if random.IntN(9) == 0 {
			continue
		}
		after.lines = append(after.lines, line)
		after.at[i+1] = len(after.lines)
	}
	return after
}

// Moved lines are where the edits put them, whichever hunks git makes of the edits.
func TestMoveFollowsEdits(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	random := rand.New(rand.NewPCG(20, 1))
	for round := range 40 {
		before := make([]string, random.IntN(60))
		for i := range before {
			before[i] = fmt.Sprintf("line %d", i)
		}
		after := edit(random, before, round)
		write := func(lines []string) string {
			text := ""
			if len(lines) > 0 {
				text = strings.Join(lines, "\n") + "\n"
			}
			return r.Write(object.KindBlob, text).String()
		}
		patch := r.Git("", "diff", write(before), write(after.lines))
		if i := strings.Index(patch, "@@"); i >= 0 {
			patch = patch[i:]
		}
		back := map[int]int{}
		for n := range len(before) {
			want := after.at[n+1]
			back[want] = n + 1
			got, ok := diff.Move(patch, n+1, false)
			require.Equal(t, want > 0, ok, "line %d of\n%s", n+1, patch)
			require.Equal(t, want, got, "line %d of\n%s", n+1, patch)
		}
		for n := range len(after.lines) {
			got, ok := diff.Move(patch, n+1, true)
			require.Equal(t, back[n+1] > 0, ok, "new line %d of\n%s", n+1, patch)
			require.Equal(t, back[n+1], got, "new line %d of\n%s", n+1, patch)
		}
	}
}

func TestMoveOfNothing(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, -1} {
		_, ok := diff.Move("@@ -1 +1 @@\n-a\n+b\n", n, false)
		require.False(t, ok)
	}
	moved, ok := diff.Move("", 7, false)
	require.True(t, ok)
	require.Equal(t, 7, moved)
}
