package api_test

import (
	"fmt"
	"iter"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/codeowners"
	"hew/server/git/gittest"
	"hew/server/servertest"
)

// ownerRules are set by alice and hold for bob, a developer: they close every way into a file, and
// leave the others open.
var ownerRules = []struct {
	name string
	told string
	set  func(t *testing.T, s *servertest.Server, alice servertest.Persona, base, remote string)
}{
	{"code owners", "match CODEOWNERS", protectByOwners(map[string]any{"push_access_level": 30})},
	{"lock", "The path 'owned/a' is locked in Git LFS by alice",
		func(t *testing.T, s *servertest.Server, alice servertest.Persona, base, remote string) {
			protectByOwners(map[string]any{"code_owner_approval_required": false, "push_access_level": 30})(
				t, s, alice, base, remote)
			r, err := http.Post(remote+"/info/lfs/locks", "application/vnd.git-lfs+json",
				strings.NewReader(`{"path":"owned/a"}`))
			require.NoError(t, err)
			require.NoError(t, r.Body.Close())
			require.Equal(t, http.StatusCreated, r.StatusCode)
		}},
}

// protectByOwners returns what protects main with these levels.
func protectByOwners(with map[string]any) func(*testing.T, *servertest.Server, servertest.Persona, string, string) {
	return func(t *testing.T, s *servertest.Server, alice servertest.Persona, base, _ string) {
		body := map[string]any{"name": "main", "code_owner_approval_required": true}
		for key, value := range with {
			body[key] = value
		}
		s.Do(t, alice.Token, "DELETE", base+"/protected_branches/main", nil)
		require.Equal(t, http.StatusCreated, s.Do(t, alice.Token, "POST", base+"/protected_branches", body).Status)
	}
}

// A rule about files holds on every way: a push, a commit and a file of the API, and what is picked
// or taken back there.
func TestOwnerRules(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	alice, bob := s.User(t, "owneralice"), s.User(t, "ownerbob")
	require.Equal(t, http.StatusOK, s.Do(t, s.RootToken, "PUT", fmt.Sprint("/users/", alice.ID),
		map[string]any{"name": "alice"}).Status)
	for i, rule := range ownerRules {
		t.Run(rule.name, func(t *testing.T) {
			t.Parallel()
			p := newOwned(t, s, alice, bob, fmt.Sprint("owned-", i))
			rule.set(t, s, alice, p.base, address(s, p.path, alice.Token))
			for way, try := range p.ways("owned/a") {
				text, ok := try()
				require.False(t, ok, way)
				require.Contains(t, text, rule.told, way)
			}
			for way, try := range p.ways("free/a") {
				text, ok := try()
				require.True(t, ok, "%s: %s", way, text)
			}
		})
	}
	t.Run("named by a level", func(t *testing.T) {
		t.Parallel()
		p := newOwned(t, s, alice, bob, "named")
		protectByOwners(map[string]any{"allowed_to_push": []any{map[string]any{"user_id": bob.ID}}})(
			t, s, alice, p.base, "")
		for way, try := range p.ways("owned/a") {
			text, ok := try()
			require.True(t, ok, "%s: %s", way, text)
		}
	})
}

// A CODEOWNERS file that is too large closes the branch to all but the push that shortens it.
func TestCodeOwnersTooLarge(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	alice, bob := s.User(t, "largealice"), s.User(t, "largebob")
	p := newOwned(t, s, alice, bob, "large")
	p.w.Commit(".gitlab/CODEOWNERS", strings.Repeat("*.md @nobody\n", codeowners.MaxRules+1))
	p.w.Git("push", "-q", address(s, p.path, alice.Token), "main")
	protectByOwners(map[string]any{"push_access_level": 30})(t, s, alice, p.base, "")
	p.w.Commit("free/a", "2\n")
	require.Contains(t, p.w.Refused("push", "-q", p.remote, "main"), "CODEOWNERS is too large: the limits are")
	p.w.Commit(".gitlab/CODEOWNERS", "*.md @nobody\n")
	p.w.Git("push", "-q", p.remote, "main")
}

// owned is a project of alice's with files in owned and free, in which bob is a developer.
type owned struct {
	ask        func(method, path string, body any) servertest.Reply // as bob
	base, path string
	w          gittest.Client
	remote     string
	change     map[string]string // the commits on the branch other, and on main, by the path that they change
	undo       map[string]string
}

func newOwned(t *testing.T, s *servertest.Server, alice, bob servertest.Persona, name string) owned {
	var made servertest.Made
	s.Do(t, alice.Token, "POST", "/projects", map[string]any{"name": name}).Into(t, &made)
	p := owned{
		base: fmt.Sprintf("/projects/%d", made.ID), path: made.Path, w: gittest.NewClient(t),
		remote: address(s, made.Path, bob.Token), change: map[string]string{}, undo: map[string]string{},
	}
	p.ask = func(method, path string, body any) servertest.Reply {
		return s.Do(t, bob.Token, method, p.base+path, body)
	}
	require.Equal(t, http.StatusCreated, s.Do(t, alice.Token, "POST", p.base+"/members",
		map[string]any{"user_id": bob.ID, "access_level": 30}).Status)
	p.w.Git("init", "-q", "-b", "main", ".")
	p.w.Commit(".gitlab/CODEOWNERS", "/owned/ @"+alice.Username+"\n/owned/free\n^[Optional]\n/free/ @"+alice.Username+"\n")
	files := []string{"owned/a", "free/a"}
	for _, file := range files {
		p.w.Commit(file, "1\n")
		p.w.Commit(file+"2", "1\n")
		p.w.Commit(strings.Replace(file, "/a", "/b", 1), "1\n")
	}
	for _, file := range files {
		p.w.Commit(file, "1\n2\n")
		p.undo[file] = strings.TrimSpace(p.w.Git("rev-parse", "HEAD"))
	}
	p.w.Git("checkout", "-qb", "other", "main")
	for _, file := range files {
		p.w.Git("rm", "-q", file)
		p.w.Git("commit", "-qm", "Remove "+file)
		p.change[file] = strings.TrimSpace(p.w.Git("rev-parse", "HEAD"))
	}
	p.w.Git("push", "-q", address(s, made.Path, alice.Token), "main", "other")
	p.w.Git("checkout", "-q", "main")
	return p
}

// ways returns the ways to change a file of main. Those that a rule leaves open come in this order:
// the last one removes the file.
func (p owned) ways(file string) iter.Seq2[string, func() (string, bool)] {
	const main = "main"
	escaped := strings.ReplaceAll(file, "/", "%2F")
	commit := map[string]any{
		"branch": main, "commit_message": "Edit",
		"actions": []any{map[string]any{"action": "update", "file_path": file, "content": "by a commit"}},
	}
	steps := []struct {
		way string
		try func() (string, bool)
	}{
		{"revert", replyOf(p.ask, "POST", "/repository/commits/"+p.undo[file]+"/revert", map[string]any{"branch": main})},
		{"commit", replyOf(p.ask, "POST", "/repository/commits", commit)},
		{"file", replyOf(p.ask, "PUT", "/repository/files/"+escaped, map[string]any{
			"branch": main, "commit_message": "Edit", "content": "by a file"})},
		{"push", func() (string, bool) {
			p.w.Git("fetch", "-q", p.remote, main)
			p.w.Git("reset", "-q", "--hard", "FETCH_HEAD")
			text := "1\n2\n" // so that the commit picked next fits
			if p.w.Git("show", "HEAD:"+file) == text {
				text = "by a push\n"
			}
			p.w.Commit(file, text)
			out, err := p.w.Try("push", "-q", p.remote, "HEAD:"+main)
			return out, err == nil
		}},
		{"cherry-pick", replyOf(p.ask, "POST", "/repository/commits/"+p.change[file]+"/cherry_pick",
			map[string]any{"branch": main})},
	}
	return func(yield func(string, func() (string, bool)) bool) {
		for _, s := range steps {
			if !yield(s.way, s.try) {
				return
			}
		}
	}
}
