package api_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// suggest has a user suggest lines in place of lines of the file a, up to a line of it, and returns
// the id of the suggestion.
func (f forked) suggest(u servertest.Persona, iid, above, line int, text string) int64 {
	f.t.Helper()
	f.s.Drain(f.t)
	one := fmt.Sprintf("/projects/%d/merge_requests/%d", f.project, iid)
	var r struct {
		Refs map[string]any `json:"diff_refs"`
	}
	f.do(u, "GET", one, nil).Into(f.t, &r)
	position := r.Refs
	position["position_type"], position["new_path"], position["old_path"] = "text", "a", "a"
	position["new_line"] = line
	var thread struct {
		Notes []struct{ Suggestions []servertest.Made }
	}
	reply := f.do(u, "POST", one+"/discussions", map[string]any{
		"body": fmt.Sprintf("```suggestion:-%d+0\n%s\n```", above, text), "position": position,
	})
	require.Equal(f.t, 201, reply.Status, "%s", reply.Body)
	reply.Into(f.t, &thread)
	require.Len(f.t, thread.Notes[0].Suggestions, 1)
	return thread.Notes[0].Suggestions[0].ID
}

func (f forked) apply(u servertest.Persona, ids ...int64) servertest.Reply {
	f.t.Helper()
	if len(ids) == 1 {
		return f.do(u, "PUT", fmt.Sprintf("/suggestions/%d/apply", ids[0]), nil)
	}
	return f.do(u, "PUT", "/suggestions/batch_apply", map[string]any{"ids": ids})
}

// Suggestions on the merge request of a fork become commits of the fork, by those who may push
// there: its members, and those who may merge if they are let (more §2.3, §6.2).
func TestSuggestionsOnForks(t *testing.T) {
	t.Parallel()
	f := newForked(t, nil)
	one, two := f.suggest(f.alice, f.iid, 0, 1, "one"), f.suggest(f.alice, f.iid, 1, 3, "two\nthree")
	three := f.suggest(f.alice, f.iid, 0, 1, "I")
	require.Equal(t, 403, f.apply(f.alice, one).Status, "she may not push to the fork")
	require.Equal(t, 403, f.apply(f.s.User(t, nameOf(t)+"-other"), one).Status)
	request := fmt.Sprintf("/projects/%d/merge_requests/%d", f.project, f.iid)
	require.Equal(t, 200, f.do(f.bob, "PUT", request, map[string]any{"allow_collaboration": true}).Status)
	reply := f.apply(f.alice, one, two)
	require.Equal(t, 200, reply.Status, "%s", reply.Body)
	require.Equal(t, "one\ntwo\nthree\n", string(f.do(f.bob, "GET", f.at("repository/files/a/raw?ref=topic"), nil).Body))
	var commit struct {
		Author    string `json:"author_email"`
		Committer string `json:"committer_email"`
		Message   string
	}
	f.do(f.bob, "GET", f.at("repository/commits/topic"), nil).Into(t, &commit)
	require.Equal(t, f.alice.Username+"@example.com", commit.Author)
	require.Equal(t, "Apply 2 suggestion(s) to 1 file(s)", commit.Message[:34])
	f.s.Drain(t)
	require.Equal(t, 400, f.apply(f.bob, three).Status, "the line is another one")
	last := f.suggest(f.alice, f.iid, 0, 2, "II")
	require.Equal(t, 200, f.apply(f.bob, last).Status)
	f.do(f.bob, "GET", f.at("repository/commits/topic"), nil).Into(t, &commit)
	require.Equal(t, f.alice.Username+"@example.com", commit.Author)
	require.Equal(t, f.bob.Username+"@example.com", commit.Committer)
}

// Each reason for which a suggestion cannot be applied has its text (more §2.3).
func TestSuggestionRefusals(t *testing.T) {
	t.Parallel()
	const edit = "This merge request was merged. To apply this suggestion, edit this file directly."
	update := func(content string) func(forked) {
		return func(f forked) {
			body := map[string]any{"branch": "topic", "commit_message": "Change", "content": content}
			require.Equal(f.t, 200, f.do(f.bob, "PUT", f.at("repository/files/a"), body).Status)
			f.s.Drain(f.t)
		}
	}
	for name, c := range map[string]struct {
		above, line int
		text        string
		then        func(forked)
		want        string
	}{
		"the line changed": {0, 2, "II", update("1\ntwo\n3\n"),
			"Can't apply as this line was changed in a more recent version."},
		"a line of several changed": {1, 2, "I and II", update("one\n2\n3\n"),
			"Can't apply as these lines were changed in a more recent version."},
		"the file is gone": {0, 2, "II", func(f forked) {
			body := map[string]any{"branch": "topic", "commit_message": "Remove"}
			require.Equal(f.t, 201, f.do(f.bob, "POST", f.at("repository/files/b"), map[string]any{
				"branch": "topic", "commit_message": "Add b", "content": "b",
			}).Status)
			require.Equal(f.t, 204, f.do(f.bob, "DELETE", f.at("repository/files/a"), body).Status)
			f.s.Drain(f.t)
		}, "Can't apply as this line was changed in a more recent version."},
		"the same text": {0, 2, "2", nil, "This suggestion already matches its content."},
		"merged": {0, 2, "II", func(f forked) {
			f.get(f.iid)
			require.Equal(f.t, 200, f.accept(f.iid, nil).Status)
		}, edit},
		"the branch is gone": {0, 2, "II", func(f forked) {
			require.Equal(f.t, 204, f.do(f.bob, "DELETE", f.at("repository/branches/topic"), nil).Status)
		}, "Can't apply as the source branch was deleted."},
		"applied": {0, 2, "II", func(f forked) {
			var list []struct {
				Notes []struct{ Suggestions []servertest.Made }
			}
			f.api("GET", fmt.Sprintf("merge_requests/%d/discussions", f.iid), nil).Into(f.t, &list)
			for _, thread := range list {
				for _, s := range thread.Notes[0].Suggestions {
					require.Equal(f.t, 200, f.apply(f.bob, s.ID).Status)
				}
			}
		}, "Can't apply this suggestion."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newForked(t, nil)
			id := f.suggest(f.alice, f.iid, c.above, c.line, c.text)
			if c.then != nil {
				c.then(f)
			}
			reply := f.apply(f.bob, id)
			require.Equal(t, 400, reply.Status, "%s", reply.Body)
			var refused struct{ Message string }
			require.NoError(t, json.Unmarshal(reply.Body, &refused))
			require.Equal(t, "400 Bad request - "+c.want, refused.Message)
		})
	}
}

// Suggestions of two merge requests are not applied together.
func TestSuggestionsOfOneBranch(t *testing.T) {
	t.Parallel()
	f := newForked(t, nil)
	var other request
	body := commitTo("other", "topic", "b", "b\n")
	require.Equal(t, 201, f.do(f.bob, "POST", f.at("repository/commits"), body).Status)
	f.do(f.bob, "POST", f.at("merge_requests"), map[string]any{
		"source_branch": "other", "target_branch": "main", "title": "Other", "target_project_id": f.project,
	}).Into(t, &other)
	reply := f.apply(f.bob, f.suggest(f.alice, f.iid, 0, 1, "one"), f.suggest(f.alice, other.IID, 0, 2, "two"))
	require.Equal(t, 400, reply.Status)
	require.Contains(t, string(reply.Body), "Suggestions must all be on the same branch.")
}
