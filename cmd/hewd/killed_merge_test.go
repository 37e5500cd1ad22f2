package main

import (
	"fmt"
	"net/http"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
)

// mergeRequest is a merge request as the kill test reads it.
type mergeRequest struct {
	IID         int
	State       string
	SHA         string
	MergeCommit *string `json:"merge_commit_sha"`
}

// mergeOne makes a branch and a merge request of it, and merges that.
func (g *target) mergeOne(n int) {
	branch := fmt.Sprint("topic-", n)
	if g.request("POST", fmt.Sprintf("/projects/%d/repository/commits", g.id), map[string]any{
		"branch": branch, "start_branch": "main", "commit_message": branch, "actions": []any{map[string]any{
			"action": "create", "file_path": "merged/" + branch, "content": branch,
		}},
	}, nil) != http.StatusCreated {
		return
	}
	requests := fmt.Sprintf("/projects/%d/merge_requests", g.id)
	var r mergeRequest
	if g.request("POST", requests, map[string]any{
		"source_branch": branch, "target_branch": "main", "title": "Merge " + branch,
	}, &r) != http.StatusCreated {
		return
	}
	status := g.request("PUT", fmt.Sprintf("%s/%d/merge", requests, r.IID),
		map[string]any{"should_remove_source_branch": n%2 == 0}, &r)
	if status == http.StatusOK {
		g.acknowledge("main", *r.MergeCommit)
		g.mu.Lock()
		defer g.mu.Unlock()
		g.merged = append(g.merged, r.IID)
	}
}

// checkMerged compares the merge requests with the clone in dir: each is merged whole or not at
// all.
func (g *target) checkMerged(dir string) {
	g.t.Helper()
	acknowledged := map[int]bool{}
	for _, iid := range g.merged {
		acknowledged[iid] = true
	}
	for iid := 1; ; iid++ {
		var r mergeRequest
		status := g.request("GET", fmt.Sprintf("/projects/%d/merge_requests/%d", g.id, iid), nil, &r)
		if status == http.StatusNotFound {
			require.Greater(g.t, iid, len(g.merged), "merge request %d of %s is lost", iid, g.name)
			return
		}
		require.Equal(g.t, http.StatusOK, status)
		_, err := gittest.ClientIn(g.t, dir).Try("merge-base", "--is-ancestor", r.SHA, "refs/heads/main")
		if err == nil {
			require.Equal(g.t, "merged", r.State, "main has the commits of !%d", iid)
			require.NotNil(g.t, r.MergeCommit)
			_, err = gittest.ClientIn(g.t, dir).Try("merge-base", "--is-ancestor", *r.MergeCommit, "refs/heads/main")
			require.NoError(g.t, err, "main lacks the merge commit of !%d", iid)
		} else {
			require.Equal(g.t, "opened", r.State, "main lacks the commits of !%d", iid)
			require.False(g.t, acknowledged[iid], "the merge of !%d was acknowledged", iid)
		}
	}
}
