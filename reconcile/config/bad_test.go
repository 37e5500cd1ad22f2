package config_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/require"

	"hew/reconcile/config"
)

// wanted finds the errors that a file announces of itself, each on the line
// where it is reported: # ERROR: summary, or # ERROR: summary -- part of the
// detail.
var wanted = regexp.MustCompile(`# ERROR: (.*)$`)

type mistake struct {
	line          int
	summary, part string
}

func TestBad(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.hcl")
	require.NoError(t, err)
	count := 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		var want []mistake
		for i, line := range strings.Split(string(src), "\n") {
			if m := wanted.FindStringSubmatch(line); m != nil {
				for _, one := range strings.Split(m[1], " | ") {
					summary, part, _ := strings.Cut(one, " -- ")
					want = append(want, mistake{i + 1, summary, part})
				}
			}
		}
		count += len(want)
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			for _, d := range check(fstest.MapFS{"main.hcl": {Data: src}}) {
				require.NotNil(t, d.Subject, d.Error())
				found := false
				for i, w := range want {
					if w.line == d.Subject.Start.Line && w.summary == d.Summary && strings.Contains(d.Detail, w.part) {
						want = append(want[:i], want[i+1:]...)
						found = true
						break
					}
				}
				require.True(t, found, "not announced: %s", d.Error())
			}
			require.Empty(t, want, "announced, and not reported")
		})
	}
	require.GreaterOrEqual(t, count, 60)
}

// check is what hew validate does.
func check(fsys fstest.MapFS) hcl.Diagnostics {
	cfg, diags := config.Load(fsys, ".", catalog(), config.Vars{})
	if diags.HasErrors() {
		return diags
	}
	_, more := cfg.NewEval().Run(nil)
	return append(diags, more...)
}
