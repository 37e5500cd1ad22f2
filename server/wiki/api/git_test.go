package api_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
)

// Pages of the API are files for git, and files that git pushes are pages of the API.
func TestGit(t *testing.T) {
	t.Parallel()
	group, project := newBooks(t, "wikigit")
	for _, b := range []book{group, project} {
		t.Run(b.path, func(t *testing.T) {
			b.t = t
			empty := b.clone()
			require.Equal(t, "ref: refs/heads/main\n", readFile(t, empty, ".git/HEAD"), "the branch of an empty wiki")
			b.create("home", "# Home")
			b.create("docs/Set up", "First")
			w := b.clone()
			require.Equal(t, "docs/Set-up.md\nhome.md\n", w.Git("ls-files"))
			require.Equal(t, b.user.Username+" created page: Set up\n", w.Git("log", "-1", "--format=%s"))
			w.Git("fsck", "--strict")

			writePages(w, map[string]string{
				"docs/deep/My Page.markdown": "---\ntitle: Mine\n---\nText", "notes.org": "* n",
				"logo.png": "x", "Makefile": "x", "uploads/a/b.md": "x", "README": "x", ".md": "x",
				"a.rst": "r", "b.TXT": "t", "latin.md": "caf\xe9",
			})
			w.Git("push", "-q", "origin", "main")
			require.Equal(t, []string{
				"a", "b", "docs/Set-up", "docs/deep/My-Page", "home", "latin", "notes", "uploads/a/b",
			}, b.slugs())
			require.Equal(t, "Text", b.page("docs/deep/My-Page"))
			require.Equal(t, "caf\uFFFD", b.page("latin"))
			reply := b.do("PUT", "/docs%2Fdeep%2FMy-Page", map[string]any{"content": "By the API"})
			require.Equal(t, 200, reply.Status, string(reply.Body))
			reply = b.do("PUT", "/docs%2Fdeep%2FMy-Page", map[string]any{"title": "Other page"})
			require.Equal(t, 200, reply.Status, string(reply.Body))
			require.Contains(t, string(reply.Body), `"slug":"docs/deep/Other-page"`)
			w.Git("pull", "-q", "--no-rebase", "origin", "main")
			require.Equal(t, "By the API", readFile(t, w, "docs/deep/Other-page.markdown"), "the extension stays")

			first := strings.TrimSpace(w.Git("rev-list", "--max-parents=0", "HEAD"))
			reply = b.do("GET", "/home?version="+first, nil)
			require.Contains(t, string(reply.Body), `"content":"# Home"`)
			reply = b.do("GET", "/notes?version="+first, nil)
			require.Equal(t, 404, reply.Status)
			w.Git("push", "-q", "origin", "main:topic", "main:refs/tags/v1")
			w.Git("commit", "-q", "--amend", "-m", "Again")
			require.Contains(t, w.Refused("push", "origin", "main"), "non-fast-forward")
			w.Git("push", "-q", "--force", "origin", "main")
			w.Git("push", "-q", "origin", "--delete", "topic")
			require.Contains(t, w.Refused("push", "origin", "--delete", "main"), "cannot be deleted")
		})
	}
}

func readFile(t *testing.T, c gittest.Client, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(c.Dir, name))
	require.NoError(t, err)
	return string(text)
}

// The branch that is pushed first is the one of the wiki.
func TestFirstBranch(t *testing.T) {
	t.Parallel()
	_, b := newBooks(t, "wikifirst")
	w := b.clone()
	w.Git("checkout", "-q", "-b", "trunk")
	writePages(w, map[string]string{"home.md": "x"})
	w.Git("push", "-q", "origin", "trunk")
	require.Equal(t, []string{"home"}, b.slugs())
	b.create("second", "x")
	require.Contains(t, b.clone().Git("branch", "-a"), "remotes/origin/HEAD -> origin/trunk")
	reply := b.s.Do(t, b.user.Token, "GET", b.base, nil)
	require.Contains(t, string(reply.Body), `"empty_repo":true`, "the code of the project has no branch")
}

func TestWhoMayClone(t *testing.T) {
	t.Parallel()
	group, project := newBooks(t, "wikimay")
	stranger, guest := group.s.User(t, "wikistranger"), group.s.User(t, "wikiguest")
	group.s.Do(t, group.user.Token, "POST", group.base+"/members",
		map[string]any{"user_id": guest.ID, "access_level": 10})
	for _, b := range []book{group, project} {
		kind := strings.TrimSuffix(strings.Split(b.base, "/")[1], "s")
		b.create("home", "x")
		w := b.clone()
		require.Contains(t, w.Refused("ls-remote", b.address("")), "could not read Username")
		require.Contains(t, w.Refused("ls-remote", b.address(stranger.Token)), "not found")
		w.Git("ls-remote", b.address(guest.Token))
		require.Contains(t, w.Refused("push", b.address(guest.Token), "main:x"),
			"not allowed to write to this "+kind+"'s wiki")
		reader := b.s.Token(t, b.user.ID, "read_repository")
		w.Git("ls-remote", b.address(reader))
		require.Contains(t, w.Refused("push", b.address(reader), "main:x"), "needs the scope api or write_repository")
		w.Git("push", "-q", b.address(b.s.Token(t, b.user.ID, "write_repository")), "main:x")
		b.s.Do(t, b.user.Token, "PUT", b.base, map[string]any{"wiki_access_level": "disabled"})
		require.Contains(t, w.Refused("ls-remote", b.address(b.user.Token)),
			"not allowed to download files from this wiki")
		b.s.Do(t, b.user.Token, "PUT", b.base, map[string]any{"wiki_access_level": "enabled"})
	}
	w := project.clone()
	nowhere := strings.Replace(project.address(project.user.Token), "/site", "/none", 1)
	require.Contains(t, w.Refused("ls-remote", nowhere), "not found")
	project.s.Do(t, project.user.Token, "POST", project.base+"/archive", nil)
	require.Contains(t, w.Refused("push", project.address(project.user.Token), "main:y"), "the project is archived")
	w.Git("fetch", "-q")

	// A project whose own path ends in .wiki is served as before.
	reply := group.s.Do(t, group.user.Token, "POST", "/projects", map[string]any{
		"name": "odd", "path": "odd.wiki", "namespace_id": strings.TrimPrefix(group.base, "/groups/"),
	})
	require.Equal(t, 201, reply.Status, string(reply.Body))
	odd := group
	odd.path += "/odd"
	w.Git("push", "-q", odd.address(odd.user.Token), "main:main")
	reply = group.s.Do(t, group.user.Token, "GET", "/projects/"+group.path+"%2Fodd.wiki/repository/tree", nil)
	require.Contains(t, string(reply.Body), "home.md")
}

// Two writers at once lose nothing, be it the first commit of all or a later one.
func TestWritersAtOnce(t *testing.T) {
	t.Parallel()
	group, project := newBooks(t, "wikionce")
	for _, b := range []book{group, project} {
		var want []string
		for i := range 8 {
			want = append(want, fmt.Sprint("p", i))
		}
		statuses := make([]int, len(want))
		atOnce(len(want), func(i int) {
			statuses[i] = b.do("POST", "", map[string]any{"title": want[i], "content": fmt.Sprint("text ", i)}).Status
		})
		require.Equal(t, slices.Repeat([]int{201}, len(want)), statuses)
		require.Equal(t, want, b.slugs())

		atOnce(len(statuses), func(i int) {
			statuses[i] = b.do("POST", "", map[string]any{"title": "same", "content": "x"}).Status
		})
		slices.Sort(statuses)
		require.Equal(t, append([]int{201}, slices.Repeat([]int{400}, len(want)-1)...), statuses)

		w := b.clone()
		writePages(w, map[string]string{"pushed.md": "x"})
		pushed := ""
		atOnce(4, func(i int) {
			if i == 0 {
				pushed, _ = w.Try("push", "origin", "main")
				return
			}
			statuses[i] = b.do("PUT", fmt.Sprint("/p", i), map[string]any{"content": "changed"}).Status
		})
		require.Equal(t, []int{200, 200, 200}, statuses[1:4])
		if strings.Contains(pushed, "rejected") {
			w.Git("pull", "-q", "--rebase", "origin", "main")
			w.Git("push", "-q", "origin", "main")
		}
		require.Contains(t, b.slugs(), "pushed")
		for i := 1; i < 4; i++ {
			require.Equal(t, "changed", b.page(fmt.Sprint("p", i)))
		}
		w.Git("pull", "-q", "--rebase", "origin", "main")
		w.Git("fsck", "--strict")
	}
}
