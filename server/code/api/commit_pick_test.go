package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// TestPick makes each pick by the API and by git itself, which have to agree on the tree.
func TestPick(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	alice := s.User(t, "pickalice")
	var p servertest.Made
	s.Do(t, alice.Token, "POST", "/projects", map[string]any{"name": "picked", "visibility": "private"}).Into(t, &p)
	remote := address(s, p.Path, alice.Token)

	w := clone{t, t.TempDir()}
	w.git("init", "-q", "-b", "main", ".")
	body := strings.Repeat("line\n", 20)
	w.write("a.txt", body+"end\n")
	w.write("old/name.txt", body)
	w.git("add", ".")
	w.git("commit", "-qm", "Begin")
	w.git("branch", "other")
	w.git("branch", "moved")
	w.write("a.txt", "first\n"+body+"end\n")
	w.git("commit", "-qam", "Add a first line\n\nWith a reason.")
	w.git("tag", "first")
	w.git("checkout", "-q", "other")
	w.write("a.txt", body+"the end\n")
	w.git("commit", "-qam", "Change the end")
	w.git("tag", "end")
	w.git("checkout", "-q", "moved")
	w.git("mv", "a.txt", "b.txt")
	w.git("commit", "-qm", "Rename")
	w.git("tag", "rename")
	w.git("checkout", "-q", "-b", "clash", "main~1")
	w.write("a.txt", "another first\n"+body+"end\n")
	w.git("commit", "-qam", "Add another first line")
	w.git("checkout", "-q", "-b", "merged", "other")
	w.git("merge", "-q", "-m", "Merge main", "main")
	w.git("tag", "merge")
	w.git("push", "-q", remote, "--all")
	w.git("push", "-q", remote, "--tags")

	one := fmt.Sprintf("/projects/%d/repository/commits/", p.ID)
	for _, c := range []struct {
		name, do, revision, branch string
		how                        []string // what git does
	}{
		{"both sides changed a file", "cherry_pick", "first", "other", []string{"cherry-pick"}},
		{"renamed file", "cherry_pick", "first", "moved", []string{"cherry-pick"}},
		{"merge, against its first parent", "cherry_pick", "merge", "clash~", []string{"cherry-pick", "-m1"}},
		{"takes back the last commit", "revert", "rename", "moved", []string{"revert", "--no-edit"}},
		{"takes back what is not last", "revert", "end", "merged", []string{"revert", "--no-edit"}},
		{"takes back a merge", "revert", "merge", "merged", []string{"revert", "--no-edit", "-m1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			branch := strings.ReplaceAll(c.name, " ", "-")
			w := clone{t, w.dir}
			w.git("push", "-q", remote, c.branch+
				":refs/heads/"+branch)
			before := s.Do(t, alice.Token, "GET", one+branch, nil)

			dry := s.Do(t, alice.Token, "POST", one+c.revision+"/"+c.do,
				map[string]any{"branch": branch, "dry_run": true})
			require.Equal(t, 200, dry.Status)
			require.JSONEq(t, `{"dry_run":"success"}`, string(dry.Body))
			require.Equal(t, before.Body, s.Do(t, alice.Token, "GET", one+branch, nil).Body)

			reply := s.Do(t, alice.Token, "POST", one+c.revision+"/"+c.do, map[string]any{"branch": branch})
			require.Equal(t, 201, reply.Status, string(reply.Body))
			w.git("checkout", "-q", "--detach", c.branch)
			w.git(append(c.how, c.revision)...)
			w.git("fetch", "-q", remote, branch)
			require.Equal(t, w.git("rev-parse", "HEAD^{tree}"), w.git("rev-parse", "FETCH_HEAD^{tree}"))
			require.Equal(t, w.git("rev-parse", "HEAD^"), w.git("rev-parse", "FETCH_HEAD^"))
			if c.do == "cherry_pick" {
				require.Equal(t, w.git("log", "-1", "--format=%an %ae"), w.git("log", "-1", "--format=%an %ae", "FETCH_HEAD"))
			}

			again := s.Do(t, alice.Token, "POST", one+c.revision+"/"+c.do, map[string]any{"branch": branch})
			require.Equal(t, 400, again.Status, string(again.Body))
			require.Contains(t, string(again.Body), `"error_code":`)
		})
	}
	w.git("fsck", "--strict")

	refusal := func(code string) string {
		return `{"message":"Sorry, we cannot cherry-pick this commit automatically. This commit may already have ` +
			`been cherry-picked, or a more recent commit may have updated some of its content.","error_code":"` + code + `"}`
	}
	reply := s.Do(t, alice.Token, "POST", one+"first/cherry_pick", map[string]any{"branch": "clash"})
	require.Equal(t, 400, reply.Status)
	require.JSONEq(t, refusal("conflict"), string(reply.Body))
	reply = s.Do(t, alice.Token, "POST", one+"first/cherry_pick", map[string]any{"branch": "merged", "dry_run": true})
	require.JSONEq(t, refusal("empty"), string(reply.Body))
}
