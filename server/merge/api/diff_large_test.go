package api_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/servertest"
)

// newLargeChange returns a desk with a merge request that changes ten lines in each of many files,
// and the repository that its branches were pushed from.
func newLargeChange(t testing.TB, files int) (desk, request, gittest.Repo) {
	t.Helper()
	d := newDesk(t, map[string]any{"initialize_with_readme": false})
	r := gittest.New(t)
	var script strings.Builder
	for n, branch := range []string{"main", "topic"} {
		fmt.Fprintf(&script, "commit refs/heads/%s\nmark :%d\n", branch, n+1)
		script.WriteString("committer C <c@x> 1700000000 +0000\ndata 1\nx\n")
		if n > 0 {
			script.WriteString("from :1\n")
		}
		for i := range files {
			text := fmt.Sprintf("%d\n%s%s", i, strings.Repeat("the same\n", 20), strings.Repeat(branch+"\n", 10))
			fmt.Fprintf(&script, "M 100644 inline d%d/f%d\ndata %d\n%s\n", i%100, i, len(text), text)
		}
	}
	r.Git(script.String(), "fast-import", "--quiet")
	url := strings.Replace(d.s.Server.URL(), "://", "://any:"+d.alice.Token+"@", 1)
	url += "/" + d.alice.Username + "/" + nameOf(t) + ".git"
	gittest.ClientIn(t, r.Dir).Git("push", "-q", url, "main", "topic")
	d.s.Drain(t)
	return d, d.open("topic"), r
}

// A change of more files than any limit admits is shown in pages that end at the limits of the
// instance, whole as far as the server can, or as git prints it.
func TestLargeDiff(t *testing.T) {
	t.Parallel()
	const files, shown, most = 3100, 1000, 3000
	d, r, git := newLargeChange(t, files)
	d.s.Drain(t)
	path := fmt.Sprintf("merge_requests/%d", r.IID)
	type file struct {
		NewPath string `json:"new_path"`
		Diff    string
	}
	seen := map[string]bool{}
	for page := 1; page <= shown/100+1; page++ {
		var list []file
		reply := d.api("GET", fmt.Sprintf("%s/diffs?per_page=100&page=%d", path, page), nil)
		reply.Into(t, &list)
		require.Equal(t, fmt.Sprint(shown), reply.Header.Get("X-Total"))
		require.Less(t, len(reply.Body), 100<<10)
		for _, f := range list {
			seen[f.NewPath] = true
		}
	}
	require.Len(t, seen, shown)

	var changes struct {
		Count    string `json:"changes_count"`
		Overflow bool
		Changes  []file
	}
	d.api("GET", path+"/changes", nil).Into(t, &changes)
	require.True(t, changes.Overflow)
	require.Len(t, changes.Changes, shown)
	require.Equal(t, "1000+", changes.Count)
	d.api("GET", path+"/changes?access_raw_diffs=true", nil).Into(t, &changes)
	require.True(t, changes.Overflow)
	require.Len(t, changes.Changes, most)
	require.NotEmpty(t, changes.Changes[most-1].Diff)

	want := git.Git("", "diff", "--full-index", "main", "topic")
	require.Equal(t, want, string(d.api("GET", path+"/raw_diffs", nil).Body))

	var versions []struct {
		ID       int
		RealSize string `json:"real_size"`
	}
	d.api("GET", path+"/versions", nil).Into(t, &versions)
	require.Len(t, versions, 1)
	require.Equal(t, "1000+", versions[0].RealSize)
	var version struct{ Diffs []file }
	d.api("GET", fmt.Sprintf("%s/versions/%d", path, versions[0].ID), nil).Into(t, &version)
	require.Len(t, version.Diffs, shown)
}

// BenchmarkLargeChange asks for what a merge request of 10,000 files changes. An answer takes a
// second at most, and its server and client allocate little more than what it says.
func BenchmarkLargeChange(b *testing.B) {
	d, r, _ := newLargeChange(b, 10_000)
	d.s.Drain(b)
	fmt.Fprintf(b.Output(), "\n%s\n", servertest.Machine())
	var versions []struct{ ID int }
	path := fmt.Sprintf("merge_requests/%d", r.IID)
	d.api("GET", path+"/versions", nil).Into(b, &versions)
	for _, what := range []string{
		"diffs", "diffs?page=50", "changes", "changes?access_raw_diffs=true", "raw_diffs",
		fmt.Sprintf("versions/%d", versions[0].ID),
	} {
		b.Run(strings.TrimRight(what, "0123456789"), func(b *testing.B) {
			least, allocated, size := time.Hour, uint64(0), 0
			for range 5 {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				begun := time.Now()
				reply := d.api("GET", path+"/"+what, nil)
				least = min(least, time.Since(begun))
				runtime.ReadMemStats(&after)
				require.Equal(b, 200, reply.Status)
				require.True(b, what == "raw_diffs" || json.Valid(reply.Body))
				allocated, size = after.TotalAlloc-before.TotalAlloc, len(reply.Body)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(least.Milliseconds()), "ms/op")
			b.ReportMetric(float64(size)/(1<<20), "MiB-answer/op")
			b.ReportMetric(float64(allocated)/(1<<20), "MiB-allocated/op")
			if least > time.Second {
				b.Errorf("%v, and the bar is a second", least)
			}
			if most := uint64(10*size + 32<<20); allocated > most {
				b.Errorf("allocated %d bytes for an answer of %d, more than %d", allocated, size, most)
			}
		})
	}
}
