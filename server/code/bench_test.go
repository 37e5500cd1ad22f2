package code_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/git/diff"
	"hew/server/git/gittest"
	"hew/server/servertest"
)

// BenchmarkDiffList lists the difference of a commit that changes a line in each of 10,000 files: a
// page of it up to the limits of an instance, and all of it.
func BenchmarkDiffList(b *testing.B) {
	const files = 10_000
	s := newScene(b)
	r := gittest.New(b)
	var script strings.Builder
	for n, line := range []string{"before", "after"} {
		fmt.Fprintf(&script, "commit refs/heads/main\nmark :%d\ncommitter C <c@x> 1700000000 +0000\ndata 1\nx\n", n+1)
		for i := range files {
			text := fmt.Sprintf("%d\n%s\n%s", i, strings.Repeat("line\n", 30), line)
			fmt.Fprintf(&script, "M 100644 inline d%d/f%d\ndata %d\n%s\n", i%100, i, len(text), text)
		}
	}
	r.Git(script.String(), "fast-import", "--quiet")
	require.Contains(b, s.push(r, code.Heads+"main"), "ok refs/heads/main")
	from, to := r.ID(r.Git("", "rev-parse", "main~")), r.ID(r.Git("", "rev-parse", "main"))
	fmt.Fprintf(b.Output(), "\n%s\n", servertest.Machine())
	for name, limits := range map[string]diff.ListLimits{
		"up to the limits": diff.LimitsOf(1000, 50_000, 204_800),
		"all files":        diff.LimitsOf(files, 1_000_000, 204_800),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				begun := time.Now()
				l, err := s.open().DiffList(b.Context(), from, to, limits, diff.Window{Offset: 100, Limit: 20})
				took := time.Since(begun)
				require.NoError(b, err)
				require.Len(b, l.Files, 20)
				require.Equal(b, files, l.Real)
				fmt.Fprintf(b.Output(), "%s: %d of %d files in %v, bar 1s\n", name, l.Total, l.Real, took)
				if took > time.Second {
					b.Errorf("%s: %v, and the bar is a second", name, took)
				}
			}
		})
	}
}
