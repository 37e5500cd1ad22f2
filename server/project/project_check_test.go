package project_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/project"
	"hew/server/tree"
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
		"🚀":                  "", // not a path: the client must give one
		"C++ (and C#)":       "c-and-c",
		"2026 - the plan":    "2026-the-plan",
		"UPPER/lower\\other": "upper-lower-other",
	} {
		p := tree.Project{Name: name}
		project.NameProject(&p)
		require.Equal(t, path, p.Path, name)
		require.Equal(t, name, p.Name)
	}
	p := tree.Project{Path: "Web.Site"}
	project.NameProject(&p)
	require.Equal(t, "Web.Site", p.Name)
}
