package code_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/git/gittest"
)

// The attribute has the last word about generated files, and is that of git; the names of files
// count where it says nothing.
func TestGeneratedIsThatOfGit(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	w := gittest.NewClient(t)
	w.Git("init", "-q", "-b", "main", ".")
	w.Write(".gitattributes", strings.Join([]string{
		"*.pb.go gitlab-generated", "/top.txt gitlab-generated", "doc/*.html gitlab-generated", "gen/** gitlab-generated",
		"gen/kept.go -gitlab-generated", "# *.md gitlab-generated", "!x gitlab-generated", `"sp ace.txt" gitlab-generated`,
		"a[0-9].c text gitlab-generated -diff", "go.sum -gitlab-generated", "{b,c}.txt gitlab-generated",
		"dir/ gitlab-generated", "*.json gitlab-generated", "package.json !gitlab-generated", "crlf.txt gitlab-generated\r",
	}, "\n"))
	w.Write("sub/.gitattributes", "*.pb.go -gitlab-generated\ndeep/*.txt gitlab-generated\n")
	w.Write("sub/deep/.gitattributes", "no.txt -gitlab-generated\n")
	w.Git("add", "-A")
	w.Git("commit", "-qm", "Say what is generated")
	r := gittest.New(t)
	r.Git("", "fetch", "-q", w.Dir, "main:main")
	require.Contains(t, s.push(r, "refs/heads/main"), "ok refs/heads/main")

	paths := []string{
		"a.pb.go", "x/a.pb.go", "top.txt", "x/top.txt", "doc/a.html", "x/doc/a.html", "doc/b/a.html", "gen/x/y.go",
		"gen/kept.go", "README.md", "x", "sp ace.txt", "a1.c", "ab.c", "go.sum", "b.txt", "{b,c}.txt", "dir/a",
		"x.json", "package.json", "crlf.txt", "sub/a.pb.go", "sub/deep/yes.txt", "sub/deep/no.txt", "sub/x/deep/yes.txt",
	}
	names := map[string]bool{ // where the attribute says nothing
		"package-lock.json": true, "a/yarn.lock": true, "Cargo.lock": true, "poetry.lock": true, "x/go.mod": false,
		"web/app.min.js": true, "vendor/x/a.go": true, "node_modules/a/b.js": true, "main.go": false,
		"Gemfile.lock": true, "go.sum": true, ".github/workflows/ci.yml": false, "dist.go": false, "cache/a.go": false,
		"configure": false, "invented.go": false,
	}
	g := s.open()
	head := s.tip("main")
	generated, err := g.Generated(t.Context(), head, paths)
	require.NoError(t, err)
	for _, path := range paths {
		state := strings.Split(w.Git("check-attr", "-z", "gitlab-generated", "--", path), "\x00")[2]
		require.Equal(t, state == "set", generated[path], "%s: git says %s", path, state)
	}
	_, err = code.CreateCommit(t.Context(), s.Store, code.NewCommit{
		Project: s.project, By: s.by, Branch: "plain", StartBranch: "main", Message: "Remove",
		Actions: []code.Action{{Do: "delete", Path: ".gitattributes"}},
	})
	require.NoError(t, err)
	generated, err = s.open().Generated(t.Context(), s.tip("plain"), slices.Sorted(maps.Keys(names)))
	require.NoError(t, err)
	require.Equal(t, names, generated)
}
