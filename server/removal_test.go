package server_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// What a removed user wrote stays, as that of the ghost user; a hard removal takes it along.
func TestRemovedAuthor(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	made := func(who, path string, body map[string]any) (m struct{ ID, IID int64 }) {
		t.Helper()
		reply := s.Do(t, who, "POST", path, body)
		require.Equal(t, 201, reply.Status, "%s: %s", path, reply.Body)
		reply.Into(t, &m)
		return m
	}
	acme := made(s.RootToken, "/groups", map[string]any{"name": "acme", "path": "acme"}).ID
	site := fmt.Sprintf("/projects/%d", made(s.RootToken, "/projects", map[string]any{
		"name": "site", "namespace_id": acme, "initialize_with_readme": true,
	}).ID)
	for _, hard := range []bool{false, true} {
		name := map[bool]string{false: "gone", true: "erased"}[hard]
		u := s.User(t, name)
		group := fmt.Sprintf("/groups/%d", acme)
		made(s.RootToken, group+"/members", map[string]any{"user_id": u.ID, "access_level": 40})
		issue := made(u.Token, site+"/issues", map[string]any{"title": "Issue"})
		at := fmt.Sprintf("%s/issues/%d", site, issue.IID)
		note := made(u.Token, at+"/notes", map[string]any{"body": "Note"})
		other := made(s.RootToken, at+"/notes", map[string]any{"body": "Of another"})
		epic := made(u.Token, group+"/epics", map[string]any{"title": "Epic"})
		made(u.Token, site+"/repository/files/"+name, map[string]any{
			"branch": name, "start_branch": "main", "commit_message": "Add", "content": "1",
		})
		request := made(u.Token, site+"/merge_requests", map[string]any{
			"source_branch": name, "target_branch": "main", "title": "Request",
		})
		snippet := made(u.Token, site+"/snippets", map[string]any{
			"title": "Snippet", "file_name": "a", "content": "1", "visibility": "private",
		})
		reply := s.Do(t, s.RootToken, "DELETE", fmt.Sprintf("/users/%d?hard_delete=%t", u.ID, hard), nil)
		require.Equal(t, 204, reply.Status, "%s", reply.Body)
		s.Drain(t)
		for _, path := range []string{
			at, fmt.Sprintf("%s/notes/%d", at, note.ID), fmt.Sprintf("%s/epics/%d", group, epic.IID),
			fmt.Sprintf("%s/merge_requests/%d", site, request.IID), fmt.Sprintf("%s/snippets/%d", site, snippet.ID),
		} {
			reply := s.Do(t, s.RootToken, "GET", path, nil)
			if hard {
				require.Equal(t, http.StatusNotFound, reply.Status, path)
				continue
			}
			require.Equal(t, http.StatusOK, reply.Status, path)
			var seen struct {
				Author struct {
					ID             int64
					Username, Name string
				}
			}
			reply.Into(t, &seen)
			require.Equal(t, "ghost", seen.Author.Username, path)
			require.Equal(t, "Ghost User", seen.Author.Name, path)
			stays := s.Do(t, s.RootToken, "DELETE", fmt.Sprintf("/users/%d?hard_delete=true", seen.Author.ID), nil)
			require.Equal(t, http.StatusForbidden, stays.Status)
		}
		if !hard {
			reply := s.Do(t, s.RootToken, "GET", fmt.Sprintf("%s/notes/%d", at, other.ID), nil)
			require.Contains(t, string(reply.Body), `"username":"root"`)
		}
	}
}
