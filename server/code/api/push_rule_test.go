package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/servertest"
)

// pushRules says which ways into a repository a rule closes to one bad change, and what it tells:
// g is a push by git, c a commit and f a file of the API, b a branch of the API, t the deletion of
// a tag by git and T the one by the API.
var pushRules = []struct {
	field  string
	value  any
	closed string
	told   string
}{
	{"commit_message_regex", "^[A-Z]", "gcf", "Commit message does not follow the pattern '^[A-Z]'"},
	{"commit_message_negative_regex", "bad", "gcf", "Commit message contains the forbidden pattern 'bad'"},
	{"branch_name_regex", "^good", "gb", "Branch name does not follow the pattern '^good'"},
	{"author_email_regex", "@(example|acme)[.]com$", "gcf", "Author's email 'erin@example.org' does not follow"},
	{"file_name_regex", "[.]exe$", "gcf", "File name id_rsa.exe was prohibited by the pattern"},
	{"prevent_secrets", true, "gcf", "File name keys/id_rsa was prohibited by the pattern"},
	{"max_file_size", 1, "gcf", "is larger than the allowed size of 1 MB"},
	{"member_check", true, "gcf", "Author 'erin@example.org' is not a member of team"},
	{"commit_committer_check", true, "g", "You cannot push commits for 'alice@example.com'"},
	{"commit_committer_name_check", true, "gcf", "Your git username is inconsistent with GitLab account name"},
	{"reject_unsigned_commits", true, "g", "Commit must be signed with a GPG key"},
	{"reject_non_dco_commits", true, "gcf", "Commit message must contain a DCO signoff"},
	{"deny_delete_tag", true, "t", "You cannot delete a tag"},
}

func TestPushRules(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	u := s.User(t, "pushruler")
	s.User(t, "alice") // who the client says that it is
	content := strings.Repeat("x", 1<<20+1)
	for i, rule := range pushRules {
		t.Run(rule.field, func(t *testing.T) {
			t.Parallel()
			var p servertest.Made
			s.Do(t, u.Token, "POST", "/projects", map[string]any{
				"name": fmt.Sprint("rule-", i), "initialize_with_readme": true,
			}).Into(t, &p)
			base := fmt.Sprintf("/projects/%d", p.ID)
			ask := func(method, path string, body any) servertest.Reply {
				return s.Do(t, u.Token, method, base+path, body)
			}
			for _, tag := range []string{"one", "two"} {
				made := ask("POST", "/repository/tags", map[string]any{"tag_name": tag, "ref": "main"})
				require.Equal(t, http.StatusCreated, made.Status)
			}
			w := gittest.NewClient(t)
			remote := address(s, p.Path, u.Token)
			w.Git("clone", "-q", remote, ".")
			made := ask("POST", "/push_rule", map[string]any{rule.field: rule.value})
			require.Equal(t, http.StatusCreated, made.Status)

			path := "id_rsa.exe"
			if rule.field == "prevent_secrets" {
				path = "keys/id_rsa"
			}
			w.Write(path, content)
			w.Git("checkout", "-qb", "bad-branch")
			w.Git("add", ".")
			w.Git("commit", "-qm", "bad commit", "--author=Erin <erin@example.org>")
			edit := map[string]any{
				"branch": "main", "commit_message": "bad commit", "author_name": "Erin",
				"author_email": "erin@example.org", "content": content,
			}
			commit := map[string]any{
				"branch": "main", "commit_message": "bad commit", "author_name": "Erin",
				"author_email": "erin@example.org",
				"actions":      []any{map[string]any{"action": "create", "file_path": path, "content": content}},
			}
			other := strings.Replace(path, "id_rsa", "other/id_rsa", 1)
			closed := ""
			for _, way := range []struct {
				letter string
				try    func() (text string, ok bool)
			}{
				{"g", func() (string, bool) {
					out, err := w.Try("push", "-q", remote, "bad-branch")
					return out, err == nil
				}},
				{"c", replyOf(ask, "POST", "/repository/commits", commit)},
				{"f", replyOf(ask, "POST", "/repository/files/"+strings.ReplaceAll(other, "/", "%2F"), edit)},
				{"b", replyOf(ask, "POST", "/repository/branches", map[string]any{"branch": "bad-2", "ref": "main"})},
				{"t", func() (string, bool) {
					out, err := w.Try("push", "-q", remote, ":refs/tags/one")
					return out, err == nil
				}},
				{"T", replyOf(ask, "DELETE", "/repository/tags/two", nil)},
			} {
				text, ok := way.try()
				if ok {
					continue
				}
				closed += way.letter
				told := rule.told
				if way.letter == "f" {
					told = strings.NewReplacer("id_rsa.exe", "other/id_rsa.exe", "keys/", "keys/other/").Replace(told)
				}
				require.Contains(t, text, told, way.letter)
			}
			require.Equal(t, rule.closed, closed)
		})
	}
}

// replyOf returns a function that sends a request, and returns what is said and whether it was
// done.
func replyOf(
	ask func(string, string, any) servertest.Reply, method, path string, body any,
) func() (string, bool) {
	return func() (string, bool) {
		r := ask(method, path, body)
		return string(r.Body), r.Status < 300
	}
}
