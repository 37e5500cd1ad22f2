package forgetest

import "fmt"

// addPulls adds three pull requests: an open one, an open one from a fork that was removed, and a
// merged one.
func (g *GitHub) addPulls(ann, bob object) {
	repo := object{"id": 42, "full_name": "acme/site", "owner": object{"login": "acme"}}
	base := object{"ref": "main", "sha": g.Main, "repo": repo}
	for n, more := range map[int]object{
		1: {"head": object{"ref": "feature", "sha": g.Feature, "user": ann, "repo": repo}, "user": ann, "assignee": ann},
		2: {"head": object{"ref": "theirs", "sha": g.Fork, "user": bob, "repo": nil}, "user": nil},
		3: {"head": object{"ref": "feature", "sha": g.Feature, "user": ann, "repo": repo}, "user": bob,
			"state": "closed", "merged_at": at(50), "merge_commit_sha": g.Feature, "closed_at": at(50)},
	} {
		pull := object{
			"number": n, "title": fmt.Sprint("Pull ", n), "body": nil, "state": "open", "draft": false, "base": base,
			"labels": []any{}, "created_at": at(n), "updated_at": at(n),
		}
		for key, value := range more {
			pull[key] = value
		}
		g.add("/pulls", pull)
		g.addIssue(n, object{"pull_request": object{}, "labels": []any{object{"name": "label 3", "color": "ff0003"}}})
		g.Lists[fmt.Sprint(repos, "/pulls/", n, "/reviews")] = []any{
			object{"id": 200 + n, "user": ann, "state": "APPROVED", "body": "", "submitted_at": at(n)},
			object{"id": 210 + n, "user": bob, "state": "CHANGES_REQUESTED", "body": "Not yet", "submitted_at": at(n)},
			object{"id": 220 + n, "user": ann, "state": "PENDING", "body": "draft"},
		}
		g.Values[fmt.Sprint(repos, "/pulls/", n, "/requested_reviewers")] = object{"users": []any{bob}}
		g.Lists[fmt.Sprint(repos, "/pulls/", n, "/comments")] = []any{}
		merged := object{"merged_by": bob}
		for key, value := range pull {
			merged[key] = value
		}
		g.Values[fmt.Sprint(repos, "/pulls/", n)] = merged
	}
	g.comment(301, 0, object{"path": "README.md", "diff_hunk": "@@ -1,3 +1,4 @@\n # Site\n first\n+new",
		"original_commit_id": g.Feature, "commit_id": g.Feature, "line": 3, "original_line": 3, "side": "RIGHT"})
	g.comment(302, 301, object{"path": "README.md"})
	g.comment(303, 0, object{"path": "gone.md", "original_line": 7})
}

func (g *GitHub) comment(id, reply int, more object) {
	c := object{
		"id": id, "body": fmt.Sprint("diff note ", id), "user": object{"id": 2, "login": "bob"},
		"pull_request_url": g.URL + repos + "/pulls/1", "created_at": at(id - 300), "updated_at": at(id - 300),
	}
	if reply != 0 {
		c["in_reply_to_id"] = reply
	}
	for key, value := range more {
		c[key] = value
	}
	g.add("/pulls/comments", c)
}
