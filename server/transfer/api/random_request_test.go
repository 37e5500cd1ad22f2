package api_test

import (
	"fmt"
	"strings"
)

// addRequest opens a merge request that adds a file and changes another one.
func (r *randomProject) addRequest() {
	branch := strings.ReplaceAll(r.name("topic"), " ", "-")
	path := r.name("new/file")
	r.by("POST", "/repository/commits", map[string]any{"branch": branch, "start_branch": "main",
		"commit_message": r.name("Change") + "\n\n" + r.text(), "actions": []any{
			map[string]any{"action": "create", "file_path": path, "content": lines(30)},
			map[string]any{"action": "update", "file_path": "README.md", "content": r.text() + "\n" + r.name("x")}}})
	if r.maybe(2) {
		r.by("POST", "/repository/commits", map[string]any{"branch": branch, "commit_message": "More", "actions": []any{
			map[string]any{"action": "update", "file_path": path, "content": lines(28) + r.text()},
			map[string]any{"action": "move", "file_path": path + " moved", "previous_path": path, "content": lines(29)}}})
	}
	title := r.name("Request")
	if r.maybe(4) {
		title = "Draft: " + title
	}
	body := map[string]any{"source_branch": branch, "target_branch": "main", "title": title, "description": r.text(),
		"squash": r.maybe(2), "remove_source_branch": r.maybe(2), "labels": pickOne(r, r.labels),
		"milestone_id": pickOne(r, r.milestones), "allow_collaboration": r.maybe(2)}
	if r.maybe(2) {
		body["assignee_ids"], body["reviewer_ids"] = []int64{r.people[1].ID}, []int64{r.people[2].ID}
	}
	made := r.by("POST", "/merge_requests", body)
	r.s.Drain(r)
	r.requests = append(r.requests, fmt.Sprint("/merge_requests/", made.IID))
}

// discuss begins a thread on a merge request, on a line of its diff or not, and may resolve it.
func (r *randomProject) discuss() {
	on := pickOne(r, r.requests)
	request := r.must("GET", on, nil)
	body := map[string]any{"body": r.text()}
	if refs := request.DiffRefs; r.maybe(3) {
		body["body"] = "Better:\n\n```suggestion:-0+0\nline 2 of mine\n```"
		body["position"] = map[string]any{"base_sha": refs.Base, "start_sha": refs.Start, "head_sha": refs.Head,
			"position_type": "text", "old_path": "README.md", "new_path": "README.md", "new_line": 1}
	} else if r.maybe(2) {
		body["position"] = map[string]any{"base_sha": refs.Base, "start_sha": refs.Start, "head_sha": refs.Head,
			"position_type": "file", "old_path": "README.md", "new_path": "README.md"}
	}
	reply := r.send("POST", on+"/discussions", body)
	if reply.Status >= 300 && body["position"] != nil { // the request no longer changes the file
		return
	}
	var thread madeThing
	reply.Into(r, &thread)
	at := fmt.Sprintf("%s/discussions/%v", on, thread.ID)
	if r.maybe(2) {
		r.must("POST", at+"/notes", map[string]any{"body": r.text()})
	}
	if r.maybe(2) {
		r.by("PUT", at, map[string]any{"resolved": true})
	}
}

// changeRequest edits, pushes to, approves, closes or merges a merge request. Some of it is
// refused, such as the merge of a draft.
func (r *randomProject) changeRequest() {
	on := pickOne(r, r.requests)
	switch r.random.IntN(9) {
	case 0:
		r.send("PUT", on+"/merge", map[string]any{"should_remove_source_branch": r.maybe(2), "squash": r.maybe(2)})
	case 1:
		r.by("PUT", on, map[string]any{"state_event": "close"})
	case 2:
		r.send("POST", on+"/approve", nil)
	case 3:
		r.by("PUT", on, map[string]any{"title": r.name("Renamed"), "description": r.text()})
	case 4:
		r.by("PUT", on, map[string]any{"add_labels": pickOne(r, r.labels), "discussion_locked": r.maybe(2)})
	case 5:
		r.by("PUT", on, map[string]any{"milestone_id": pickOne(r, r.milestones), "squash": r.maybe(2)})
	case 6:
		r.by("PUT", on, map[string]any{"reviewer_ids": []int64{r.people[1].ID}})
	case 7:
		r.send("PUT", on+"/rebase", nil)
	default:
		var request struct {
			Branch string `json:"source_branch"`
			State  string `json:"state"`
		}
		r.get(r.s.RootToken, r.id, on, &request)
		r.send("POST", "/repository/commits", map[string]any{"branch": request.Branch, "commit_message": "Again",
			"actions": []any{map[string]any{"action": "update", "file_path": "README.md", "content": r.text()}}})
	}
	r.s.Drain(r)
}
