package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/jobs"
	"hew/server/servertest"
	"hew/server/setting"
)

// Files of the API are files for git, and what git pushes is what the API shows.
func TestGit(t *testing.T) {
	t.Parallel()
	d := newDesk(t, servertest.Start(t), "snipgit")
	for name, p := range map[string]piece{"personal": d.personal, "project": d.held} {
		t.Run(name, func(t *testing.T) {
			d.t = t
			w := p.clone()
			require.Equal(t, "notes.txt\n", w.Git("ls-files"))
			require.Equal(t, "main\n", w.Git("branch", "--format=%(refname:short)"))
			w.Commit("b/deep.txt", "deep")
			w.Git("push", "-q", "origin", "main")
			require.Equal(t, []string{"b/deep.txt", "notes.txt"}, p.files())
			reply := p.do(p.user.Token, "GET", "/files/main/b%2Fdeep.txt/raw", nil)
			require.Equal(t, "deep", string(reply.Body))
			first := strings.TrimSpace(w.Git("rev-list", "--max-parents=0", "HEAD"))
			require.Equal(t, 404, p.do(p.user.Token, "GET", "/files/"+first+"/b%2Fdeep.txt/raw", nil).Status)
			reply = p.do(p.user.Token, "PUT", "", map[string]any{"files": []any{
				map[string]any{"action": "move", "previous_path": "b/deep.txt", "file_path": "deep.txt"},
			}})
			require.Equal(t, 200, reply.Status, string(reply.Body))
			w.Git("pull", "-q")
			require.Equal(t, "deep.txt\nnotes.txt\n", w.Git("ls-files"))
			w.Git("fsck", "--strict")

			require.Contains(t, w.Refused("push", "origin", "main:topic"), "can not create or delete branches")
			require.Contains(t, w.Refused("push", "origin", "main:refs/tags/v1"), "can not create or delete branches")
			require.Contains(t, w.Refused("push", "origin", "--delete", "main"), "cannot be deleted")
			for i := range 9 {
				w.Write(fmt.Sprint("many", i), "x")
			}
			w.Git("add", "-A")
			w.Git("commit", "-qm", "Many")
			require.Contains(t, w.Refused("push", "origin", "main"), "can contain at most 10 files")
			w.Git("reset", "-q", "--hard", "origin/main")
			w.Commit(strings.Repeat("d/", 99)+"large", "x")
			require.Contains(t, w.Refused("push", "origin", "main"), "files and directories")
			w.Git("reset", "-q", "--hard", "origin/main")
			w.Git("rm", "-q", "*.txt")
			w.Git("commit", "-qm", "Empty")
			require.Contains(t, w.Refused("push", "origin", "main"), "must contain at least 1 file")
			w.Git("reset", "-q", "--hard", "origin/main")
			w.Commit(strings.Repeat("d/", 20)+strings.Repeat("x", 220), "x")
			require.Contains(t, w.Refused("push", "origin", "main"), "too long (maximum is 255 bytes)")
			w.Git("reset", "-q", "--hard", "origin/main")
			w.Commit("caf\xe9", "x")
			require.Contains(t, w.Refused("push", "origin", "main"), "is not UTF-8")
			require.Equal(t, []string{"deep.txt", "notes.txt"}, p.files())
			w.Git("reset", "-q", "--hard", "HEAD~2")
			w.Git("push", "-q", "--force", "origin", "main")
			require.Equal(t, []string{"b/deep.txt", "notes.txt"}, p.files())
		})
	}
}

func TestWhoMayClone(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	d := newDesk(t, s, "snipmay")
	w := d.held.clone()
	guest, other := s.User(t, "snipguest"), s.User(t, "snipother")
	s.Do(t, d.user.Token, "POST", d.base+"/members", map[string]any{"user_id": guest.ID, "access_level": 10})
	w.Git("ls-remote", d.held.address(guest.Token))
	require.Contains(t, w.Refused("push", d.held.address(guest.Token), "main"), "not allowed to update this snippet")
	for _, p := range []piece{d.personal, d.held} {
		require.Contains(t, w.Refused("ls-remote", p.URL), "could not read Username")
		require.Contains(t, w.Refused("ls-remote", p.address(other.Token)), "not found")
		reader := s.Token(t, d.user.ID, "read_repository")
		w.Git("ls-remote", p.address(reader))
		require.Contains(t, w.Refused("push", p.address(reader), "main"), "needs the scope api or write_repository")
		p.do(d.user.Token, "PUT", "", map[string]any{"visibility": "public"})
	}
	w.Git("ls-remote", d.personal.URL)
	w.Git("ls-remote", strings.TrimSuffix(d.personal.URL, ".git"))
	require.Contains(t, w.Refused("ls-remote", strings.Replace(d.personal.address(other.Token),
		fmt.Sprint("snippets/", d.personal.ID), "snippets/99999999", 1)), "Snippet not found")
	require.Contains(t, w.Refused("push", d.personal.address(other.Token), "main"), "not allowed to update")
	require.Contains(t, w.Refused("ls-remote", d.held.address(other.Token)), "not found", "the project is private")
	// A snippet is at its own address alone.
	wrong := strings.Replace(d.held.address(d.user.Token), d.path+"/", "", 1)
	require.Contains(t, w.Refused("ls-remote", wrong), "not found")
	// The page is an address, and those from before the project moved stay ones.
	page := strings.TrimSuffix(strings.Replace(d.held.address(d.user.Token), "/snippets/", "/-/snippets/", 1), ".git")
	w.Git("ls-remote", page)
	s.Do(t, d.user.Token, "PUT", d.base, map[string]any{"path": "moved"})
	w.Git("ls-remote", d.held.address(d.user.Token))
	require.Contains(t, w.Refused("ls-remote", d.held.address(other.Token)), "not found")
	s.Do(t, d.user.Token, "PUT", d.base, map[string]any{"path": "site"})
	s.Do(t, d.user.Token, "PUT", d.base, map[string]any{"snippets_access_level": "disabled"})
	require.Contains(t, w.Refused("ls-remote", d.held.address(d.user.Token)), "not found")
	s.Do(t, d.user.Token, "PUT", d.base, map[string]any{"snippets_access_level": "enabled"})
	s.Do(t, d.user.Token, "POST", d.base+"/archive", nil)
	w.Commit("x", "x")
	require.Contains(t, w.Refused("push", d.held.address(d.user.Token), "main"), "archived")

	// A project in a group called snippets is served as before.
	var group servertest.Made
	s.Do(t, d.user.Token, "POST", "/groups", map[string]any{"name": "snipteam", "path": "snipteam"}).Into(t, &group)
	s.Do(t, d.user.Token, "POST", "/groups", map[string]any{
		"name": "snippets", "path": "snippets", "parent_id": group.ID,
	}).Into(t, &group)
	reply := s.Do(t, d.user.Token, "POST", "/projects", map[string]any{
		"name": "p999999", "path": "999999", "namespace_id": group.ID,
	})
	require.Equal(t, 201, reply.Status, string(reply.Body))
	w.Git("push", "-q", strings.Replace(d.held.address(d.user.Token), d.held.URL[strings.LastIndex(d.held.URL, d.path):],
		"snipteam/snippets/999999.git", 1), "main")
}

// Whatever a file holds, a browser saves it as text.
func TestRaw(t *testing.T) {
	t.Parallel()
	d := newDesk(t, servertest.Start(t), "snipraw")
	for _, p := range []piece{d.personal, d.held} {
		reply := p.do(d.user.Token, "PUT", "", map[string]any{"files": []any{
			map[string]any{"action": "create", "file_path": "dir/a \"<b>\u2028.html", "content": "<script>"},
		}})
		require.Equal(t, 200, reply.Status, string(reply.Body))
		var shown struct {
			Files []struct {
				RawURL string `json:"raw_url"`
			}
		}
		reply.Into(t, &shown)
		api := d.s.URL + fmt.Sprint("/snippets/", p.ID, "/raw")
		for _, address := range []string{shown.Files[0].RawURL, p.Raw, api} {
			w := d.get(address, d.user.Token)
			require.Equal(t, 200, w.StatusCode, address)
			require.Equal(t, "text/plain; charset=utf-8", w.Header.Get("Content-Type"))
			require.Equal(t, "nosniff", w.Header.Get("X-Content-Type-Options"))
			require.Contains(t, w.Header.Get("Content-Disposition"), "attachment")
			require.NotContains(t, w.Header.Get("Content-Disposition"), "dir/")
			require.Equal(t, http.StatusNotFound, d.get(address, "").StatusCode, address)
		}
	}
}

func TestHostilePaths(t *testing.T) {
	t.Parallel()
	d := newDesk(t, servertest.Start(t), "sniphostile")
	for path, want := range map[string]string{
		"..": "does not allow", "a/../b": "does not allow", "/a": "absolute", "a\x00b": "", "a//b": "does not allow",
		".git/hooks/x": "does not allow", "a/": "does not allow", " ": "", strings.Repeat("x", 256): "too long",
		strings.Repeat("ü", 128): "too long", "notes.txt/below": "already exists", "git~1": "does not allow",
	} {
		for _, action := range []map[string]any{
			{"action": "create", "file_path": path, "content": "x"},
			{"action": "move", "previous_path": "notes.txt", "file_path": path},
		} {
			if path == "notes.txt/below" && action["action"] == "move" {
				continue // the file makes room for the directory
			}
			reply := d.personal.do(d.user.Token, "PUT", "", map[string]any{"files": []any{action}})
			require.Equal(t, 400, reply.Status, "%q: %s", path, reply.Body)
			require.Contains(t, string(reply.Body), want, "%q", path)
		}
		d.personal.do(d.user.Token, "GET", "/files/main/"+url.PathEscape(path)+"/raw", nil)
	}
	require.Equal(t, []string{"notes.txt"}, d.personal.files())
	reply := d.personal.do(d.user.Token, "PUT", "", map[string]any{"title": strings.Repeat("x", 256)})
	require.Equal(t, 400, reply.Status)
	require.Contains(t, string(reply.Body), "is too long (maximum is 255 characters)")
}

// Writers at once lose nothing, whatever way they come by.
func TestWritersAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t, servertest.Start(t), "sniponce")
	p, w := d.personal, d.personal.clone()
	w.Commit("pushed", "x")
	statuses := make([]int, 6)
	pushed := ""
	atOnce(len(statuses), func(i int) {
		if i == 0 {
			pushed, _ = w.Try("push", "origin", "main")
			return
		}
		statuses[i] = p.do(d.user.Token, "PUT", "", map[string]any{"title": fmt.Sprint("t", i), "files": []any{
			map[string]any{"action": "create", "file_path": fmt.Sprint("f", i), "content": "x"},
		}}).Status
	})
	require.Equal(t, slices.Repeat([]int{200}, 5), statuses[1:])
	if strings.Contains(pushed, "rejected") {
		w.Git("pull", "-q", "--rebase", "origin", "main")
		w.Git("push", "-q", "origin", "main")
	}
	require.Equal(t, []string{"f1", "f2", "f3", "f4", "f5", "notes.txt", "pushed"}, p.files())
	atOnce(len(statuses), func(i int) { statuses[i] = p.do(d.user.Token, "DELETE", "", nil).Status })
	slices.Sort(statuses)
	require.Equal(t, []int{204, 404, 404, 404, 404, 404}, statuses)
}

// upkeep asks for the periodic job that looks for repositories that need housekeeping.
type upkeep struct{}

func (upkeep) Kind() string { return "housekeep_repositories" }

// Snippets are repacked like code, have a size limit, and go with their owners.
func TestUpkeep(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	d := newDesk(t, s, "snipupkeep")
	value := func(sql string) int {
		n, err := db.Value[int](t.Context(), s.Store, sql, nil)
		require.NoError(t, err)
		return n
	}
	for i := range 170 {
		reply := d.personal.do(d.user.Token, "PUT", "", map[string]any{"content": fmt.Sprint(i)})
		require.Equal(t, 200, reply.Status, string(reply.Body))
	}
	require.NoError(t, jobs.Enqueue(t.Context(), s.Store, upkeep{}))
	s.Drain(t)
	require.Less(t, value(`select count(*) from loose_objects`), 10)
	require.Positive(t, value(`select size from repositories where snippet_id = 1`))
	require.Zero(t, value(`select repository_size from projects`))
	// The project counts what its snippet has until that goes.
	w := d.held.clone()
	w.Commit("large", strings.Repeat("x", 5000))
	w.Git("push", "-q", "origin", "main")
	require.NoError(t, jobs.Enqueue(t.Context(), s.Store, upkeep{}))
	s.Drain(t)
	statistics := func() (p struct{ Statistics map[string]int }) {
		s.Do(t, d.user.Token, "GET", d.base+"?statistics=true", nil).Into(t, &p)
		return p
	}
	size := value(`select size from snippets where id = 2`)
	require.Positive(t, size)
	require.Equal(t, size, statistics().Statistics["snippets_size"])
	require.Equal(t, size, statistics().Statistics["storage_size"])
	d.held.do(d.user.Token, "DELETE", "", nil)
	require.Zero(t, statistics().Statistics["snippets_size"])
	require.Equal(t, "169", string(d.personal.do(d.user.Token, "GET", "/raw", nil).Body))
	d.personal.clone().Git("fsck", "--strict")

	require.NoError(t, setting.Set(t.Context(), s.Store, "snippet_size_limit", 100))
	reply := d.personal.do(d.user.Token, "PUT", "", map[string]any{"content": strings.Repeat("x", 101)})
	require.Equal(t, 400, reply.Status)
	require.Contains(t, string(reply.Body), "The maximum size is 100 bytes")

	require.NoError(t, setting.Set(t.Context(), s.Store, "deletion_adjourned_period", 0))
	s.Do(t, d.user.Token, "DELETE", d.base, nil)
	s.Drain(t)
	require.Equal(t, 1, value(`select count(*) from snippets`))
	reply = s.Do(t, s.RootToken, "DELETE", fmt.Sprint("/users/", d.user.ID, "?hard_delete=true"), nil)
	require.Equal(t, 204, reply.Status, string(reply.Body))
	s.Drain(t)
	for _, table := range []string{"snippets", "repositories", "loose_objects", "commit_paths"} {
		require.Zero(t, value(`select count(*) from `+table), table)
	}
}
