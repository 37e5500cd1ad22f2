package code_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/git/diff"
	"hew/server/git/gittest"
)

// largeChange is how many files BenchmarkDiffList changes, and diffBar how long a list may take.
const (
	largeChange = 10_000
	diffBar     = time.Second
)

// BenchmarkDiffList lists a change of many files, as it is with the limits that an instance has at
// first and with the highest ones. It fails where one list takes longer than its bar.
func BenchmarkDiffList(b *testing.B) {
	files := largeChange
	if testing.Short() {
		files /= 20
	}
	s := newScene(b)
	r := gittest.New(b)
	var in strings.Builder
	for i, branch := range []string{"main", "work"} {
		fmt.Fprintf(&in, "commit refs/heads/%s\ncommitter C <c@example.com> %d +0000\ndata 1\nx\n",
			branch, 1_600_000_000+i)
		if i > 0 {
			in.WriteString("from refs/heads/main\n")
		}
		for n := range files {
			text := strings.Repeat(fmt.Sprintf("line of file %d\n", n), 20) + fmt.Sprintf("last %d\n", i*n)
			path := fmt.Sprintf("src/%02d/%02d/file%d.go", n%37, n%11, n)
			if i > 0 && n%50 == 0 {
				fmt.Fprintf(&in, "D %s\n", path)
				path = "moved/" + path
			}
			fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", path, len(text), text)
		}
	}
	r.Git(in.String(), "fast-import", "--quiet")
	require.Contains(b, s.push(r, code.Heads+"main", code.Heads+"work"), "ok refs/heads/work")
	main, work := s.tip("main"), s.tip("work")
	for _, test := range []struct {
		name   string
		limits diff.ListLimits
		window diff.Window
	}{
		{"default limits, first page", diff.LimitsOf(1000, 50_000, 204_800), diff.Window{Limit: 20}},
		{"highest limits, last page", diff.LimitsOf(3000, 100_000, 512_000), diff.Window{Offset: 2900, Limit: 100}},
	} {
		b.Run(test.name, func(b *testing.B) {
			var took []time.Duration
			for range 5 {
				began := time.Now()
				list, err := s.open().DiffList(b.Context(), main, work, test.limits, test.window)
				require.NoError(b, err)
				took = append(took, time.Since(began))
				require.Equal(b, files, list.Real)
				require.LessOrEqual(b, list.Total, test.limits.Files)
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[2].Milliseconds()), "ms/list")
			require.Less(b, took[2], diffBar)
		})
	}
}
