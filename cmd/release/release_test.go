package release

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func checkout(dirty string) *debug.BuildInfo {
	return &debug.BuildInfo{
		GoVersion: "go1.26.0", Path: "hew/cmd/hew",
		Main: debug.Module{Path: "hew", Version: "v0.0.0-20261128113000-0123456789ab"},
		Settings: []debug.BuildSetting{
			{Key: "GOARCH", Value: "arm64"}, {Key: "GOOS", Value: "darwin"},
			{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.time",
				Value: "2026-11-28T11:30:00Z"}, {Key: "vcs.modified", Value: dirty},
		},
		Deps: []*debug.Module{
			{Path: "github.com/Azure/go-ntlmssp", Version: "v2.0.0+incompatible", Sum: "h1:abc="},
			{Path: "example.com/gone", Version: "v1.0.0",
				Replace: &debug.Module{Path: "example.com/fork", Version: "v1.0.1"}},
		},
	}
}

func TestOf(t *testing.T) {
	t.Parallel()
	installed := &debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: "v1.2.3", Sum: "h1:abc="}}
	built := Build{Version: "dev", Commit: "0123456789abcdef", CommitDate: "2026-11-28T11:30:00Z", Go: "go1.26.0",
		Platform: "darwin/arm64"}
	dirty, released := built, built
	dirty.Dirty, released.Version = true, "v1.4.0"
	for name, c := range map[string]struct {
		info   *debug.BuildInfo
		linked string
		want   Build
		says   string
	}{
		"in a checkout":            {checkout("false"), Unknown, built, "dev (commit 0123456789a)"},
		"with changes":             {checkout("true"), Unknown, dirty, "dev (commit 0123456789a, changed)"},
		"a release":                {checkout("false"), "v1.4.0", released, "v1.4.0 (commit 0123456789a)"},
		"installed as a module":    {installed, Unknown, Build{Version: "v1.2.3", Go: "go1.26.0"}, "v1.2.3"},
		"linked in wins":           {installed, "v1.4.0", Build{Version: "v1.4.0", Go: "go1.26.0"}, "v1.4.0"},
		"of which nothing is told": {&debug.BuildInfo{}, Unknown, Build{Version: "dev"}, "dev"},
	} {
		got := FromBuildInfo(c.info, c.linked)
		require.Equal(t, c.want, got, name)
		require.Equal(t, c.says, got.String(), name)
	}
	require.Equal(t, runtime.Version(), Current(Unknown).Go)
}

func TestSBOM(t *testing.T) {
	t.Parallel()
	got, err := json.MarshalIndent(describe(checkout("false"), "v1.4.0", "cafe"), "", "  ")
	require.NoError(t, err)
	want, err := os.ReadFile("testdata/sbom.json")
	require.NoError(t, err)
	require.JSONEq(t, string(want), string(got))
}

// TestSBOMOfABinary describes the running test binary.
func TestSBOMOfABinary(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	require.NoError(t, err)
	s, err := Describe(self, Unknown)
	require.NoError(t, err)
	require.Len(t, s.Metadata.Component.Hashes[0].Content, 64)
	require.Equal(t, "stdlib", s.Components[0].Name)
	require.Len(t, s.Dependencies[0].Upon, len(s.Components))

	_, err = Describe(filepath.Join(t.TempDir(), "none"), Unknown)
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = Describe("release.go", Unknown)
	require.ErrorContains(t, err, "release.go: ")
}
