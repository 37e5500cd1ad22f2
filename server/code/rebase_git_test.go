package code_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/git/gittest"
	"hew/server/git/object"
)

// A rebase makes the commits that git rebase makes: the same files, authors and messages in the
// same order. Merges are left out, and commits that the target has or that become empty.
func TestRebaseIsThatOfGit(t *testing.T) {
	t.Parallel()
	lines := func(changed int, text string) string {
		var b strings.Builder
		for i := range 30 {
			if i == changed {
				b.WriteString(text)
			}
			fmt.Fprintln(&b, "line", i)
		}
		return b.String()
	}
	for name, build := range map[string]func(w gittest.Client){
		"one commit": func(w gittest.Client) {
			w.Commit("a", lines(3, "work\n"))
			w.Git("checkout", "-q", "main")
			w.Commit("a", lines(25, "main\n"))
		},
		"three, renamed and made executable": func(w gittest.Client) {
			w.Commit("a", lines(3, "one\n"))
			w.Git("mv", "doc/ü.md", "doc/moved.md")
			w.Git("update-index", "--chmod=+x", "b")
			w.Git("commit", "-qm", "Move\n\nWith a body.", "--author=Bob <bob@example.com>")
			w.Commit("doc/moved.md", lines(2, "three\n"))
			w.Git("checkout", "-q", "main")
			w.Commit("doc/ü.md", lines(28, "main\n"))
		},
		"a merge": func(w gittest.Client) {
			w.Commit("c", "1\n")
			w.Git("checkout", "-qb", "side", "main")
			w.Commit("d", "2\n")
			w.Git("checkout", "-q", "work")
			w.Git("merge", "-q", "--no-ff", "-m", "Merge side", "side")
			w.Commit("e", "3\n")
			w.Git("checkout", "-q", "main")
			w.Commit("f", "4\n")
		},
		"there already, in part": func(w gittest.Client) {
			w.Commit("c", "1\n")
			w.Commit("d", "2\n")
			w.Commit("e", "3\n")
			w.Git("checkout", "-q", "main")
			w.Git("cherry-pick", "work~1")
			w.Commit("g", "4\n")
		},
		"becomes empty": func(w gittest.Client) {
			w.Commit("c", "1\n")
			w.Commit("d", "2\n")
			w.Git("checkout", "-q", "main")
			w.Write("c", "1\n")
			w.Write("other", "x\n")
			w.Git("add", "-A")
			w.Git("commit", "-qm", "The same and more")
		},
		"was empty": func(w gittest.Client) {
			w.Git("commit", "-q", "--allow-empty", "-m", "Nothing")
			w.Commit("d", "2\n")
			w.Git("checkout", "-q", "main")
			w.Commit("g", "4\n")
		},
		"nothing to do": func(w gittest.Client) { w.Commit("c", "1\n") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, w := newScene(t), gittest.NewClient(t)
			w.Git("init", "-q", "-b", "main", ".")
			for _, path := range []string{"a", "b", "doc/ü.md"} {
				w.Write(path, lines(-1, ""))
			}
			w.Commit("README.md", "text\r\n")
			w.Git("checkout", "-qb", "work")
			build(w)
			r := gittest.New(t)
			r.Git("", "fetch", "-q", w.Dir, "main:main", "work:work")
			require.Contains(t, s.push(r, code.Heads+"main", code.Heads+"work"), "ok refs/heads/work")

			main, before := s.tip("main"), s.tip("work")
			head, err := s.rebase("work", before, main)
			require.NoError(t, err)
			w.Git("checkout", "-q", "work")
			w.Git("rebase", "-q", "main")
			const format = "--format=%T %an <%ae> %at%n%B"
			got, err := s.open().Log(t.Context(), code.LogFilter{
				From: []object.ID{head}, Not: []object.ID{main}, Limit: 100, Topo: true,
			})
			require.NoError(t, err)
			var text strings.Builder
			for _, c := range got {
				fmt.Fprintf(&text, "%s %s <%s> %d\n%s\n", c.Tree, c.AuthorName, c.AuthorEmail, c.AuthoredAt.Unix(),
					c.Message)
			}
			require.Equal(t, w.Git("log", "--topo-order", format, "main..work"), text.String())
			require.Equal(t, head, s.tip("work"))
		})
	}
}
