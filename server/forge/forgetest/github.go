package forgetest

import (
	"fmt"
	"strings"
	"testing"

	"hew/server/git/gittest"
)

// object is a JSON object.
type object = map[string]any

// GitHub is a host of the GitHub kind with the repository acme/site, whose id is 42. It has three
// pages of each list when pages have two entries.
type GitHub struct {
	*Host
	Main, Feature, Fork string // commits: the tip of main, of feature, and of a fork that was removed
	Bare                string // the directory of the repository
}

const repos = "/api/v3/repos/acme/site"

// NewGitHub starts such a host.
func NewGitHub(t testing.TB) *GitHub {
	dir := t.TempDir()
	g := &GitHub{Host: New(t, dir)}
	g.makeRepository(t, dir)
	ann := object{"id": 1, "login": "Ann", "type": "User"}
	bob := object{"id": 2, "login": "bob", "type": "User"}
	g.Values["/api/v3/repositories/42"] = object{
		"id": 42, "name": "site", "full_name": "acme/site", "description": "Our site", "size": 12, "private": false,
		"has_wiki": true, "clone_url": g.URL + "/acme/site.git", "default_branch": "main",
		"html_url": g.URL + "/acme/site",
	}
	g.Values["/api/v3/users/ann"] = object{"id": 1, "login": "Ann", "email": "ANN@example.com"}
	g.Values["/api/v3/users/bob"] = object{"id": 2, "login": "bob", "email": nil}
	for n := 1; n <= 5; n++ {
		g.add("/labels", object{"name": fmt.Sprint("label ", n), "color": "ff000" + fmt.Sprint(n), "description": nil})
		g.add("/milestones", object{"number": n, "title": fmt.Sprint("v", n), "description": "by @ann", "state": "open",
			"due_on": "2024-06-01T07:00:00Z", "created_at": at(1), "updated_at": at(2)})
		g.add("/releases", object{"id": n, "tag_name": fmt.Sprint("v", n), "name": nil, "body": "", "author": ann,
			"created_at": at(n), "published_at": at(n)})
		g.addIssue(10+n, object{"user": bob, "labels": []any{object{"name": "label 1", "color": "ff0001"}}})
		g.add("/issues/comments", object{"id": 100 + n, "body": fmt.Sprint("comment ", n), "user": ann,
			"issue_url": g.URL + repos + "/issues/11", "created_at": at(n), "updated_at": at(n)})
	}
	g.Lists[repos+"/releases"][4].(object)["tag_name"] = nil
	g.Lists[repos+"/issues"][4].(object)["user"] = nil
	g.addPulls(ann, bob)
	g.Lists[repos+"/collaborators"] = []any{
		object{"id": 1, "login": "Ann", "role_name": "write"}, object{"id": 2, "login": "bob", "role_name": "chef"},
	}
	g.Lists[repos+"/collaborators?affiliation=outside"] = []any{}
	g.Lists[repos+"/branches"] = []any{object{"name": "main", "protected": true}}
	g.Values[repos+"/branches/main/protection"] = object{
		"required_pull_request_reviews": object{"require_code_owner_reviews": true},
		"allow_force_pushes":            object{"enabled": false},
		"required_signatures":           object{"enabled": true},

		"required_conversation_resolution": object{"enabled": true},
	}
	return g
}

// at returns a time, so many minutes after the first.
func at(minute int) string { return fmt.Sprintf("2024-05-01T10:%02d:00Z", minute) }

func (g *GitHub) add(path string, entry object) {
	g.Lists[repos+path] = append(g.Lists[repos+path], entry)
}

func (g *GitHub) addIssue(number int, more object) {
	issue := object{
		"number": number, "title": fmt.Sprint("Issue ", number), "body": "ask @bob", "state": "open", "labels": []any{},
		"created_at": at(number), "updated_at": at(number), "milestone": object{"number": 1, "title": "v1", "state": "open"},
	}
	for key, value := range more {
		issue[key] = value
	}
	g.add("/issues", issue)
	g.Lists[fmt.Sprint(repos, "/issues/", number, "/timeline")] = []any{
		object{"id": number, "event": "labeled", "actor": object{"login": "Ann"}, "created_at": at(30),
			"label": object{"name": "label 2"}},
		object{"event": "committed", "sha": "abc"},
	}
	g.Lists[fmt.Sprint(repos, "/issues/", number, "/comments")] = []any{}
}

func (g *GitHub) makeRepository(t testing.TB, dir string) {
	c := gittest.ClientIn(t, t.TempDir())
	c.Git("init", "-q", "-b", "main", ".")
	c.Commit("README.md", "# Site\nfirst\nsecond\n")
	c.Git("tag", "v1")
	c.Git("checkout", "-q", "-b", "feature")
	c.Commit("README.md", "# Site\nfirst\nnew\nsecond\n")
	g.Feature = strings.TrimSpace(c.Git("rev-parse", "HEAD"))
	c.Git("checkout", "-q", "main")
	c.Git("checkout", "-q", "-b", "theirs")
	c.Commit("fork.txt", "of a fork\n")
	g.Fork = strings.TrimSpace(c.Git("rev-parse", "HEAD"))
	c.Git("checkout", "-q", "main")
	g.Main = strings.TrimSpace(c.Git("rev-parse", "HEAD"))
	bare := dir + "/acme/site.git"
	g.Bare = bare
	c.Git("clone", "-q", "--bare", ".", bare)
	for ref, id := range map[string]string{"1": g.Feature, "2": g.Fork, "3": g.Feature} {
		c.Git("--git-dir", bare, "update-ref", "refs/pull/"+ref+"/head", id)
	}
	c.Git("--git-dir", bare, "update-ref", "refs/pull/1/merge", g.Feature)
	c.Git("--git-dir", bare, "update-ref", "-d", "refs/heads/theirs")
}
