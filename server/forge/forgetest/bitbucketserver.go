package forgetest

import (
	"fmt"
	"strings"
	"testing"

	"hew/server/git/gittest"
)

// BitbucketServer is a host of the Bitbucket Server kind with the repository site of the project
// ACME, at the path /code.
type BitbucketServer struct {
	*Host
	Base          string // the address of the host
	Main, Feature string // commits: the tips of the branches
}

// BitbucketRepo is the path of the repository in the API.
const BitbucketRepo = "/code/rest/api/1.0/projects/ACME/repos/site"

// NewBitbucketServer starts such a host. It has three pull requests with activities: a merged one,
// an open one, and a declined one of a fork.
func NewBitbucketServer(t testing.TB) *BitbucketServer {
	dir := t.TempDir()
	b := &BitbucketServer{Host: New(t, dir)}
	b.Pages, b.Base = StartPages, b.URL+"/code"
	c := gittest.ClientIn(t, t.TempDir())
	c.Git("init", "-q", "-b", "main", ".")
	c.Commit("README.md", "# Site\n")
	b.Main = strings.TrimSpace(c.Git("rev-parse", "HEAD"))
	c.Git("checkout", "-q", "-b", "feature")
	c.Commit("README.md", "# Site\nnew\n")
	b.Feature = strings.TrimSpace(c.Git("rev-parse", "HEAD"))
	bare := dir + "/code/scm/acme/site.git"
	c.Git("clone", "-q", "--bare", ".", bare)
	c.Git("--git-dir", bare, "symbolic-ref", "HEAD", "refs/heads/main")
	c.Git("--git-dir", bare, "update-ref", "refs/pull-requests/3/from", b.Feature)
	b.Values[BitbucketRepo] = object{
		"id": 9, "slug": "site", "name": "Our Site", "description": "of us", "scmId": "git", "public": false,
		"project": object{"key": "ACME", "public": false},
		"links":   object{"clone": []any{object{"name": "http", "href": b.URL + "/code/scm/acme/site.git"}}},
	}
	ann := object{"name": "ann", "emailAddress": "ann@example.com", "displayName": "Ann"}
	bob := object{"name": "bob", "emailAddress": "bob@example.com", "displayName": "Bob"}
	repo := object{"id": 9, "slug": "site", "project": object{"key": "ACME"}}
	fork := object{"id": 10, "slug": "site", "project": object{"key": "~bob"}}
	for n, state := range []string{"MERGED", "OPEN", "DECLINED"} {
		from := object{"id": "refs/heads/feature", "latestCommit": b.Feature, "repository": repo}
		if state == "DECLINED" {
			from["repository"] = fork
		}
		b.Lists[BitbucketRepo+"/pull-requests"] = append(b.Lists[BitbucketRepo+"/pull-requests"], object{
			"id": n + 1, "title": "Pull", "description": "text", "state": state, "createdDate": 1_714_557_600_000,
			"author": object{"user": bob}, "reviewers": []any{object{"user": ann, "approved": true}}, "fromRef": from,
			"toRef": object{"id": "refs/heads/main", "latestCommit": b.Main, "repository": repo},
		})
		b.Lists[fmt.Sprintf("%s/pull-requests/%d/activities", BitbucketRepo, n+1)] = b.activities(n+1, state, ann, bob)
	}
	return b
}

func (b *BitbucketServer) activities(n int, state string, ann, bob object) []any {
	comment := func(id int, by object, replies ...any) object {
		return object{"id": n*100 + id, "text": fmt.Sprint("note ", id), "author": by,
			"createdDate": 1_714_557_600_000 + id, "comments": replies}
	}
	list := []any{
		object{"id": n*10 + 1, "action": "APPROVED", "user": ann, "createdDate": 1_714_557_700_000},
		object{"id": n*10 + 2, "action": "COMMENTED", "user": ann, "createdDate": 1_714_557_600_000,
			"comment": comment(1, ann, comment(2, bob, comment(3, ann))),
			"commentAnchor": object{"path": "README.md", "line": 2, "lineType": "ADDED", "fromHash": b.Main,
				"toHash": b.Feature}},
		object{"id": n*10 + 3, "action": "OPENED", "user": bob, "createdDate": 1_714_557_600_000},
	}
	switch state {
	case "MERGED":
		list = append(list, object{"id": n*10 + 4, "action": "MERGED", "user": ann, "createdDate": 1_714_557_800_000,
			"commit": object{"id": b.Feature}})
	case "DECLINED":
		list = append(list, object{"id": n*10 + 4, "action": "DECLINED", "user": ann, "createdDate": 1_714_557_800_000})
	}
	return list
}
