package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
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

	w := gittest.NewClient(t)
	w.Git("init", "-q", "-b", "main", ".")
	body := strings.Repeat("line\n", 20)
	w.Write("a.txt", body+"end\n")
	w.Write("old/name.txt", body)
	w.Git("add", ".")
	w.Git("commit", "-qm", "Begin")
	w.Git("branch", "other")
	w.Git("branch", "moved")
	w.Write("a.txt", "first\n"+body+"end\n")
	w.Git("commit", "-qam", "Add a first line\n\nWith a reason.")
	w.Git("tag", "first")
	w.Git("checkout", "-q", "other")
	w.Write("a.txt", body+"the end\n")
	w.Git("commit", "-qam", "Change the end")
	w.Git("tag", "end")
	w.Git("checkout", "-q", "moved")
	w.Git("mv", "a.txt", "b.txt")
	w.Git("commit", "-qm", "Rename")
	w.Git("tag", "rename")
	w.Git("checkout", "-q", "-b", "clash", "main~1")
	w.Write("a.txt", "another first\n"+body+"end\n")
	w.Git("commit", "-qam", "Add another first line")
	w.Git("checkout", "-q", "-b", "merged", "other")
	w.Git("merge", "-q", "-m", "Merge main", "main")
	w.Git("tag", "merge")
	w.Git("push", "-q", remote, "--all")
	w.Git("push", "-q", remote, "--tags")

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
			w := gittest.ClientIn(t, w.Dir)
			w.Git("push", "-q", remote, c.branch+
				":refs/heads/"+branch)
			before := s.Do(t, alice.Token, "GET", one+branch, nil)

			dry := s.Do(t, alice.Token, "POST", one+c.revision+"/"+c.do,
				map[string]any{"branch": branch, "dry_run": true})
			require.Equal(t, 200, dry.Status)
			require.JSONEq(t, `{"dry_run":"success"}`, string(dry.Body))
			require.Equal(t, before.Body, s.Do(t, alice.Token, "GET", one+branch, nil).Body)

			reply := s.Do(t, alice.Token, "POST", one+c.revision+"/"+c.do, map[string]any{"branch": branch})
			require.Equal(t, 201, reply.Status, string(reply.Body))
			w.Git("checkout", "-q", "--detach", c.branch)
			w.Git(append(c.how, c.revision)...)
			w.Git("fetch", "-q", remote, branch)
			require.Equal(t, w.Git("rev-parse", "HEAD^{tree}"), w.Git("rev-parse", "FETCH_HEAD^{tree}"))
			require.Equal(t, w.Git("rev-parse", "HEAD^"), w.Git("rev-parse", "FETCH_HEAD^"))
			if c.do == "cherry_pick" {
				require.Equal(t, w.Git("log", "-1", "--format=%an %ae"), w.Git("log", "-1", "--format=%an %ae", "FETCH_HEAD"))
			}

			again := s.Do(t, alice.Token, "POST", one+c.revision+"/"+c.do, map[string]any{"branch": branch})
			require.Equal(t, 400, again.Status, string(again.Body))
			require.Contains(t, string(again.Body), `"error_code":`)
		})
	}
	w.Git("fsck", "--strict")

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
