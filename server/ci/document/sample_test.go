package document_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"hew/server/ci/document"
)

var update = flag.Bool("update", false, "write what samples give into testdata")

// TestSamples loads definitions as projects have them. Each archive has the definition and what it
// includes, named as in files, then the merged definition ("merged") and the includes ("includes").
func TestSamples(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/sample/*.txtar")
	require.NoError(t, err)
	require.Len(t, paths, 10)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			testSample(t, path)
		})
	}
}

// testSample loads one archive and compares or writes what it gives.
func testSample(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	require.NoError(t, err)
	included, want := files{}, map[string]string{}
	kept := archive.Files[:0:0]
	for _, f := range archive.Files {
		if f.Name == "merged" || f.Name == "includes" {
			want[f.Name] = string(f.Data)
			continue
		}
		included[f.Name] = string(f.Data)
		kept = append(kept, f)
	}
	d, err := included.load(included[".gitlab-ci.yml"], func(r *document.Request) {
		r.Rules = func(_ context.Context, rules *document.Node, _ document.Origin) (bool, error) {
			return rules.Items[0].Get("if") == nil || len(rules.Items) > 1, nil
		}
	})
	require.NoError(t, err)
	var includes strings.Builder
	for _, i := range d.Includes {
		fmt.Fprintf(&includes, "%s %s %s %s\n", i.Form, i.Location, i.Context.Project, shown(i.Extra))
	}
	got := map[string]string{"merged": d.MergedYAML(), "includes": includes.String()}
	if *update {
		archive.Files = append(kept, txtar.File{Name: "merged", Data: []byte(got["merged"])})
		if includes.Len() > 0 {
			archive.Files = append(archive.Files, txtar.File{Name: "includes", Data: []byte(got["includes"])})
		}
		require.NoError(t, os.WriteFile(path, txtar.Format(archive), 0o644))
		return
	}
	require.Equal(t, want["merged"], got["merged"])
	require.Equal(t, want["includes"], got["includes"])
	again, err := document.Parse("merged.yml", []byte(got["merged"]), document.Limits{})
	require.NoError(t, err)
	require.True(t, d.Root.Equal(again))
}
