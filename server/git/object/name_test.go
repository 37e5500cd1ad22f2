package object_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/git/object"
)

// TestCheckName asks git fsck about trees with one entry each.
func TestCheckName(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	names := []string{
		"a", ".", "..", "...", "a.", " ", ".git", ".GIT", ".giT", ".git ", ".git.", ".git. .", " .git", ".gitx",
		".git~1",
		"git~1", "GIT~1", "git~2", "git~1.", "git~10", ".git::$INDEX_ALLOCATION", ".git:x", "git~1:x", ".g\u200cit",
		"\u202a.GIT", ".git\u206f", "\ufeff.git", ".g\u2010it", ".git\xff", ".git\xffx", "\xff", `.git\x`, `x\.git`,
		`x\git~1`, `x\y`, "a/b", "/", ".gitmodules", "GİT", "\u017f", ".gıt", "-", "ünï", ".git\u200c ", "\ufffd.git",
	}
	id := r.Write(object.KindBlob, "")
	byTree := map[string]string{}
	for _, name := range names {
		tree := object.EncodeTree(object.Tree{{Mode: object.ModeFile, Name: name, ID: id}})
		byTree[r.Write(object.KindTree, string(tree)).String()] = name
	}
	refused := map[string]bool{}
	_, err := r.Try("", "fsck", "--strict", "--no-dangling")
	require.Error(t, err)
	for line := range strings.Lines(err.Error()) {
		for tree, name := range byTree {
			refused[name] = refused[name] || strings.Contains(line, tree)
		}
	}
	for _, name := range names {
		require.Equal(t, refused[name], object.CheckName(name) != nil, "%q", name)
	}
	for _, name := range []string{"", "a\x00b"} {
		require.Error(t, object.CheckName(name))
	}
}

func TestCheckPath(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"a/b/c.txt":               "",
		"a//b":                    `path "a//b": "" is not a valid file name: it is empty`,
		"/a":                      `path "/a": "" is not a valid file name: it is empty`,
		"":                        `path "": "" is not a valid file name: it is empty`,
		"a/../b":                  `path "a/../b": ".." is not a valid file name: it names a directory already`,
		"a/.Git/config":           `path "a/.Git/config": ".Git" is not a valid file name: git keeps its own data in .git`,
		"a\x00":                   `path "a\x00": "a\x00" is not a valid file name: it contains a slash or NUL`,
		strings.Repeat("a", 4096): "",
		strings.Repeat("a", 4097): `path "` + strings.Repeat("a", 60) +
			`"… is 4097 bytes long: the limit is 4096`,
		strings.Repeat("a/", 1023) + "a": "",
		strings.Repeat("a/", 1024) + "a": `path "` + strings.Repeat("a/", 30) +
			`"… is 1025 directories deep: the limit is 1024`,
	} {
		if err := object.CheckPath(path); want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, want)
		}
	}
}
