package api_test

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"

	"github.com/stretchr/testify/require"
)

func (c *conformance) anyBranch() string {
	if c.random.IntN(5) == 0 {
		return pick(c, branchNames)
	}
	return c.branch()
}

// action returns a random action of a commit. The server refuses it if it does not fit the files.
func (c *conformance) action(branch string) map[string]any {
	verb := pick(c, []string{"create", "create", "create", "update", "move", "delete", "chmod"})
	a := map[string]any{"action": verb, "file_path": pick(c, paths)}
	files, err := c.clone.Try("", "ls-tree", "-r", "--name-only", "-z", "refs/heads/"+branch)
	if err == nil && files != "" {
		names := strings.Split(strings.TrimRight(files, "\x00"), "\x00")
		switch verb {
		case "update", "delete", "chmod":
			a["file_path"] = pick(c, names)
		case "move":
			a["previous_path"] = pick(c, names)
		}
	}
	switch verb {
	case "create", "update":
		a["content"], a["encoding"] = base64.StdEncoding.EncodeToString([]byte(c.text())), "base64"
	case "move":
		if a["previous_path"] == nil {
			a["previous_path"] = pick(c, paths)
		}
		if c.random.IntN(2) == 0 {
			a["content"] = "moved and changed\n"
		}
	case "chmod":
		a["execute_filemode"] = c.random.IntN(3) > 0
	}
	return a
}

func (c *conformance) apiCommit() (string, bool) {
	var actions []any
	branch := c.anyBranch()
	for range 1 + c.random.IntN(3) {
		actions = append(actions, c.action(branch))
	}
	body := map[string]any{
		"branch": branch, "actions": actions,
		"commit_message": pick(c, []string{"By the API", "Title\n\nBody\n\nKey: value\n", "Ü\r\nx", " spaces  "}),
	}
	if c.random.IntN(4) == 0 {
		body["author_name"], body["author_email"] = pick(c, []string{"X <y>", "Ü", "a\nb"}), "Someone@Example.com"
	}
	if c.random.IntN(5) == 0 {
		body["start_branch"], body["force"] = c.branch(), body["branch"] != "main" && c.random.IntN(2) == 0
	}
	return fmt.Sprintf("%.1000v", body), c.request("POST", "commits", body)
}

// apiLargeCommit makes so many objects that a repack is due soon.
func (c *conformance) apiLargeCommit() (string, bool) {
	var actions []any
	dir := fmt.Sprint("large", c.random.IntN(1000))
	for i := range 200 {
		actions = append(actions, map[string]any{
			"action": "create", "file_path": fmt.Sprintf("%s/%d/f%d.go", dir, i%5, i), "content": fmt.Sprint(i, " ", dir),
		})
	}
	return dir, c.request("POST", "commits", map[string]any{
		"branch": c.anyBranch(), "commit_message": "Large", "actions": actions,
	})
}

func (c *conformance) apiFile() (string, bool) {
	method := pick(c, []string{"POST", "POST", "PUT", "DELETE"})
	branch := c.anyBranch()
	path := c.action(branch)["file_path"].(string)
	return method + " " + path + " on " + branch, c.request(method, "files/"+url.PathEscape(path), map[string]any{
		"branch": branch, "commit_message": "A file", "content": c.text(), "execute_filemode": c.random.IntN(3) == 0,
	})
}

func (c *conformance) apiBranch() (string, bool) {
	name, ref := pick(c, branchNames), pick(c, []string{"main", "main~1", "refs/heads/main", "v1", "topic", "HEAD^0"})
	return name + " at " + ref, c.request("POST", "branches", map[string]any{"branch": name, "ref": ref})
}

func (c *conformance) apiTag() (string, bool) {
	name := pick(c, tagNames)
	return name, c.request("POST", "tags", map[string]any{
		"tag_name": name, "ref": c.branch(), "message": pick(c, []string{"", "Annotated", "Two\n\nlines\n\n"}),
	})
}

func (c *conformance) apiDelete() (string, bool) {
	path := "branches/" + url.PathEscape(pick(c, branchNames))
	if c.random.IntN(2) == 0 {
		path = "tags/" + url.PathEscape(pick(c, tagNames))
	}
	return path, c.request("DELETE", path, nil)
}

func (c *conformance) apiPick() (string, bool) {
	commits := c.clone.Lines("rev-list", "--all", "--max-count=15")
	path := "commits/" + pick(c, commits) + "/" + pick(c, []string{"cherry_pick", "revert"})
	branch := c.branch()
	return path + " on " + branch, c.request("POST", path, map[string]any{"branch": branch})
}

func (c *conformance) repack() (string, bool) {
	path := fmt.Sprintf("/projects/%d/housekeeping", c.project.ID)
	require.Equal(c.t, 201, c.s.Do(c.t, c.user.Token, "POST", path, nil).Status)
	c.s.Drain(c.t)
	return "", true
}
