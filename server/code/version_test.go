package code

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCompareVersions(t *testing.T) {
	t.Parallel()
	ordered := []string{
		"latest", "nightly/one", "vNext", // without a version
		"0.0.1", "v0.9", "v1", "1.0", "v1.0", "v1.0.0-1", "v1.0.0-2", "v1.0.0-10", "v1.0.0-alpha", "v1.0.0-alpha.1",
		"v1.0.0-alpha.beta", "v1.0.0-beta", "v1.0.0-rc1", "v1.0.0", "v1.0.0+build", "v1.0.1", "v1.2", "v1.10",
		"release/v1.11", "v2", "v10", "v18446744073709551616", "v18446744073709551617",
	}
	for i, a := range ordered {
		for j, b := range ordered {
			got := compareVersions(a, b)
			switch {
			case i < j:
				require.Negative(t, got, "%s before %s", a, b)
			case i > j:
				require.Positive(t, got, "%s after %s", a, b)
			default:
				require.Zero(t, got, a)
			}
		}
	}
	mixed := slices.Clone(ordered)
	slices.Reverse(mixed)
	slices.SortFunc(mixed, compareVersions)
	require.Equal(t, strings.Join(ordered, " "), strings.Join(mixed, " "))
}

func TestCutRange(t *testing.T) {
	t.Parallel()
	for revision, want := range map[string]struct {
		left, right string
		three       bool
	}{
		"main":    {"", "main", false},
		"v1.0":    {"", "v1.0", false},
		"a..b":    {"a", "b", false},
		"a...b":   {"a", "b", true},
		"..b":     {"HEAD", "b", false},
		"a..":     {"a", "HEAD", false},
		"...b":    {"HEAD", "b", true},
		"a...":    {"a", "HEAD", true},
		"..":      {"HEAD", "HEAD", false},
		"v1..v2.": {"v1", "v2.", false},
	} {
		left, right, three := cutRange(revision)
		require.Equal(t, want.left, left, revision)
		require.Equal(t, want.right, right, revision)
		require.Equal(t, want.three, three, revision)
	}
}

func TestIsRevision(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "main", "a..b", "HEAD~1", "v1^{}", "feature/ä", "@"} {
		require.True(t, IsRevision(text), text)
	}
	for _, text := range []string{"-x", "a b", "a\tb", "a:b", "a*", "a?", "a[", `a\b`, "a\x7f"} {
		require.False(t, IsRevision(text), text)
	}
}
