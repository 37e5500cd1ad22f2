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
