package forge_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/forge"
	"hew/server/store"
)

func TestNameProject(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{
		"Web":                "web",
		"My First Project":   "my-first-project",
		"a_b.c-d":            "a_b.c-d",
		"  Tidy -- me!  ":    "tidy-me",
		".dots.":             "dots",
		"Größe":              "gr-e",
		"🚀":                  "", // which is no path: the client has to give one
		"C++ (and C#)":       "c-and-c",
		"2026 - the plan":    "2026-the-plan",
		"UPPER/lower\\other": "upper-lower-other",
	} {
		p := store.Project{Name: name}
		forge.NameProject(&p)
		require.Equal(t, path, p.Path, name)
		require.Equal(t, name, p.Name)
	}
	p := store.Project{Path: "Web.Site"}
	forge.NameProject(&p)
	require.Equal(t, "Web.Site", p.Name)
}

func TestIsBranchName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"main": true, "feature/x-1": true, "v1.0": true, "ümläut": true, "a@b": true, "x": true,
		"": false, "a..b": false, "a b": false, "-a": false, "/a": false, "a/": false, "a//b": false, ".a": false,
		"a/.b": false, "a.": false, "a.lock": false, "a.lock/b": false, "a@{b": false, "a~1": false, "a^": false,
		"a:b": false, "a?": false, "a*": false, "a[": false, "a\\b": false, "a\nb": false,
	} {
		require.Equal(t, want, forge.IsBranchName(name), "%q", name)
	}
}
