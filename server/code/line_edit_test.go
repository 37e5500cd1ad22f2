package code_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
)

func TestReplaceLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		edits      []code.LineEdit
		want       string // "": an error
	}{
		{"one", "a\nb\nc\n", []code.LineEdit{{2, 2, "B\n"}}, "a\nB\nc\n"},
		{"order", "a\nb\nc\n", []code.LineEdit{{3, 3, "C"}, {1, 1, "A\nA"}}, "A\nA\nb\nC\n"},
		{"range", "a\nb\nc\n", []code.LineEdit{{1, 2, "x\n"}}, "x\nc\n"},
		{"removed", "a\nb\nc\n", []code.LineEdit{{2, 2, ""}}, "a\nc\n"},
		{"empty line", "a\nb\nc\n", []code.LineEdit{{2, 2, "\n"}}, "a\n\nc\n"},
		{"carriage returns", "a\r\nb\r\n", []code.LineEdit{{1, 1, "x\ny\n"}}, "x\r\ny\r\nb\r\n"},
		{"no line feed", "a\nb", []code.LineEdit{{2, 2, "c\n"}}, "a\nc"},
		{"overlap", "a\nb\nc\n", []code.LineEdit{{1, 2, "x"}, {2, 3, "y"}}, ""},
		{"beyond", "a\nb\n", []code.LineEdit{{2, 3, "x"}}, ""},
		{"empty file", "", []code.LineEdit{{1, 1, "x"}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := code.ReplaceLines(c.text, c.edits)
			require.Equal(t, c.want, got)
			require.Equal(t, c.want == "", err != nil)
		})
	}
}

// A commit in a transaction of the caller has the given author and the caller as committer, and goes
// with the transaction.
func TestCommitInTransaction(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.commit("main", "", "a", "1\n2\n")
	failed := errors.New("failed later")
	suggest := func(failed error) (c code.Commit, err error) {
		text, err := code.ReplaceLines("1\n2\n", []code.LineEdit{{First: 2, Last: 2, Text: "two"}})
		require.NoError(t, err)
		return c, s.Tx(t.Context(), func(st *db.Store) error {
			c, err = code.CreateCommit(t.Context(), st, code.NewCommit{
				Project: s.project, By: s.by, Branch: "main", Message: "Apply a suggestion",
				AuthorName: "Bob", AuthorEmail: "bob@example.com",
				Actions: []code.Action{{Do: "update", Path: "a", Content: &text}},
			})
			return errors.Join(err, failed)
		})
	}
	lost, err := suggest(failed)
	require.ErrorIs(t, err, failed)
	s.requireObject(false, lost.ID)
	c, err := suggest(nil)
	require.NoError(t, err)
	require.Equal(t, []string{"Bob", s.by.User.Name}, []string{c.AuthorName, c.CommitterName})
	f, err := s.open().FindFile(t.Context(), "main", "a")
	require.NoError(t, err)
	require.Equal(t, "1\ntwo\n", string(f.Data))
}

// The attribute decides whether a file is generated, else its name; attributes of a directory are
// those of its files.
func TestGenerated(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	c := s.write("main", map[string]string{
		".gitattributes":     "*.gen gitlab-generated\nCargo.lock -gitlab-generated\n",
		"api/.gitattributes": "client.go gitlab-generated=true\nx.gen gitlab-generated=false\n",
		"doc/.gitattributes": "*.md text\n",
	})
	want := map[string]bool{
		"a.gen": true, "sub/b.gen": true, "api/x.gen": false, "api/client.go": true, "client.go": false,
		"Cargo.lock": false, "package-lock.json": true, "js/a.min.js": true, "js/a.js": false, "doc/a.md": false,
		"vendor/github.com/x/y.go": true, "ä/ö.gen": true,
	}
	check := func(id object.ID, want map[string]bool) {
		var paths []string
		for path := range want {
			paths = append(paths, path)
		}
		got, err := s.open().Generated(t.Context(), id, paths)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	check(c.ID, want)
	other := s.commit("plain", "main", "x", "1")
	check(other.ID, map[string]bool{"poetry.lock": true, "main.go": false, "x.gen": true})
}

// Of a merge, the changes against its first parent are reverted and picked.
func TestPickMerge(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.commit("main", "", "a", "1")
	s.commit("release", "main", "r", "1")
	s.commit("work", "main", "b", "2")
	tip := s.commit("work", "", "c", "3")
	s.commit("main", "", "d", "4")
	done := s.land(s.landing(tip.ID, code.MergeCommit))
	has := func(branch, path string) bool {
		_, err := s.open().FindFile(t.Context(), branch, path)
		return err == nil
	}
	_, err := code.PickCommit(t.Context(), s.Store, code.Pick{
		Project: s.project, By: s.by, Branch: "main", Commit: done.Merge, Revert: true,
	})
	require.NoError(t, err)
	require.Equal(t, []bool{true, false, false, true}, []bool{
		has("main", "a"), has("main", "b"), has("main", "c"), has("main", "d"),
	})
	_, err = code.PickCommit(t.Context(), s.Store, code.Pick{
		Project: s.project, By: s.by, Branch: "release", Commit: done.Merge,
	})
	require.NoError(t, err)
	require.Equal(t, []bool{true, true, false}, []bool{has("release", "b"), has("release", "c"), has("release", "d")})
}
