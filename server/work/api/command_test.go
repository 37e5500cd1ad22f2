package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/quick"
	"hew/server/servertest"
)

// unable are the quick actions of issues that nothing can be done with yet, or only in a project
// with a branch.
var unable = strings.Fields("create_merge_request page timeline zoom add_child set_parent")

// A commandRow is a text on an issue or epic, and what its answer says.
type commandRow struct{ text, said string }

// issueRows has a row for each quick action of issues and each other name of it (more §5). They
// are run in order.
var issueRows = []commandRow{
	{"/close", "Closed this issue."},
	{"/reopen", "Reopened this issue."},
	{"/title Plan B", `Changed the title to "Plan B".`},
	{"/label ~bug", "Added ~bug label."},
	{`/labels ~"to do"`, `Added ~"to do" label.`},
	{"/unlabel ~bug", "Removed ~bug label."},
	{"/remove_label", "Removed all labels."},
	{"/relabel ~bug", "Replaced all labels with ~bug label."},
	{"/assign me", "Assigned @ann."},
	{"/reassign @ann", "Changed assignee to @ann."},
	{"/unassign", "Removed assignee @ann."},
	{"/milestone %m", "Set the milestone to %m."},
	{"/remove_milestone", "Removed %m milestone."},
	{"/copy_metadata #2", "Copied labels and milestone from #2."},
	{"/estimate 1h", "Set time estimate to 1h."},
	{"/estimate_time 2h", "Set time estimate to 2h."},
	{"/remove_estimate", "Removed time estimate."},
	{"/estimate 1h", "Set time estimate to 1h."},
	{"/remove_time_estimate", "Removed time estimate."},
	{"/spend 1h", "Added 1h spent time."},
	{"/spent -30m", "Subtracted 30m spent time."},
	{"/spend_time 1h", "Added 1h spent time."},
	{"/remove_time_spent", "Removed spent time."},
	{"/lock", "Locked the discussion."},
	{"/unlock", "Unlocked the discussion."},
	{"/todo", "Added a to-do item."},
	{"/done", "Marked to-do item as done."},
	{"/unsubscribe", "Unsubscribed from notifications."},
	{"/subscribe", "Subscribed to notifications."},
	{"/react :x:", "Toggled :x: emoji reaction."},
	{"/award :x:", "Toggled :x: emoji reaction."},
	{"/confidential", "Made this issue confidential."},
	{"/due 2030-09-20", "Set the due date to Sep 20, 2030."},
	{"/remove_due_date", "Removed the due date."},
	{"/relate #2", "Added #2 as a linked item related to this issue."},
	{"/unlink #2", "Removed link with #2."},
	{"/blocks #2", "Added #2 as a linked item blocked by this issue."},
	{"/unlink #2", "Removed link with #2."},
	{"/blocked_by #2", "Added #2 as a linked item blocking this issue."},
	{"/weight 3", "Set weight to 3."},
	{"/clear_weight", "Cleared weight."},
	{"/health_status at_risk", "Set health status to at_risk."},
	{"/clear_health_status", "Cleared health status."},
	{`/iteration *iteration:1`, "Set the iteration to *iteration:1."},
	{"/remove_iteration", "Removed *iteration:1 iteration."},
	{"/epic &1", "Added an issue to an epic."},
	{"/remove_epic", "Removed an issue from an epic."},
	{"/type incident", "Type changed successfully."},
	{"/severity S1", "Severity updated to critical."},
	{"/type issue", "Type changed successfully."},
	{"/promote_to_incident", "Issue has been promoted to incident."},
	{"/type issue", "Type changed successfully."},
	{"/clone", "Cloned this item to board/site."},
	{"/move board/shop", "Moved this item to board/shop."},
	{"/duplicate #2", "Closed this issue. Marked as related to, and a duplicate of, "},
	{"/promote", "Promoted issue to an epic."},
}

// epicRows is issueRows of epics.
var epicRows = []commandRow{
	{"/close", "Closed this epic."},
	{"/reopen", "Reopened this epic."},
	{"/title Plan B", `Changed the title to "Plan B".`},
	{"/label ~bug", "Added ~bug label."},
	{`/labels ~"to do"`, `Added ~"to do" label.`},
	{"/unlabel ~bug", "Removed ~bug label."},
	{"/remove_label", "Removed all labels."},
	{"/relabel ~bug", "Replaced all labels with ~bug label."},
	{"/lock", "Locked the discussion."},
	{"/unlock", "Unlocked the discussion."},
	{"/todo", "Added a to-do item."},
	{"/done", "Marked to-do item as done."},
	{"/unsubscribe", "Unsubscribed from notifications."},
	{"/subscribe", "Subscribed to notifications."},
	{"/react :x:", "Toggled :x: emoji reaction."},
	{"/award :x:", "Toggled :x: emoji reaction."},
	{"/relate &2", "Added &2 as a linked item related to this epic."},
	{"/unlink &2", "Removed link with &2."},
	{"/blocks &2", "Added &2 as a linked item blocked by this epic."},
	{"/unlink &2", "Removed link with &2."},
	{"/blocked_by board&2", "Added &2 as a linked item blocking this epic."},
	{"/child_epic &2 &3", "Added &2 and &3 as a child epic."},
	{"/remove_child_epic &2", "Removed &2 from child epics."},
	{"/parent_epic &2", "Set &2 as the parent epic."},
	{"/remove_parent_epic", "Removed parent epic &2."},
	{"/remove_child_epic &3", "Removed &3 from child epics."},
	{"/confidential", "Made this epic confidential."},
}

// Every quick action of the table does what it says, and none is without a row here.
func TestEveryCommand(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	ann := s.User(t, "ann")
	made := func(path string, body map[string]any) (m servertest.Made) {
		s.Do(t, ann.Token, "POST", path, body).Into(t, &m)
		return m
	}
	board := made("/groups", map[string]any{"name": "board", "path": "board"})
	in := fmt.Sprintf("/groups/%d", board.ID)
	site := made("/projects", map[string]any{"name": "site", "path": "site", "namespace_id": board.ID})
	made("/projects", map[string]any{"name": "shop", "path": "shop", "namespace_id": board.ID})
	for _, name := range []string{"bug", "to do"} {
		made(in+"/labels", map[string]any{"name": name, "color": "red"})
	}
	made(in+"/milestones", map[string]any{"title": "m"})
	made(in+"/iterations", map[string]any{"title": "i", "start_date": "2030-01-01", "due_date": "2030-01-14"})
	issues := fmt.Sprintf("/projects/%d/issues", site.ID)
	for range 3 {
		made(issues, map[string]any{"title": "Issue"})
	}
	epic := made(in+"/epics", map[string]any{"title": "Epic"})
	for range 2 {
		made(in+"/epics", map[string]any{"title": "Other"})
	}
	notes := map[quick.Target]string{
		quick.Issue: issues + "/1/notes", quick.Epic: fmt.Sprintf("%s/epics/%d/notes", in, epic.ID),
	}
	for on, rows := range map[quick.Target][]commandRow{quick.Issue: issueRows, quick.Epic: epicRows} {
		tested := map[string]bool{}
		for _, row := range rows {
			name, _, _ := strings.Cut(strings.TrimPrefix(row.text, "/"), " ")
			tested[name] = true
			to := notes[on]
			switch name {
			case "duplicate", "promote": // the first issue is closed by its move
				to = issues + "/3/notes"
			}
			answer := s.Do(t, ann.Token, "POST", to, map[string]any{"body": row.text})
			require.Equal(t, http.StatusAccepted, answer.Status, "%s: %s", row.text, answer.Body)
			var said struct {
				Summary []string       `json:"summary"`
				Changes map[string]any `json:"commands_changes"`
			}
			require.NoError(t, json.Unmarshal(answer.Body, &said))
			require.Contains(t, said.Summary[0], row.said, row.text)
			require.NotNil(t, said.Changes, row.text)
		}
		for _, c := range quick.For(quick.All, on) {
			for _, name := range append(c.Aliases, c.Name) {
				switch {
				case c.Appends != "":
				case slices.Contains(unable, name):
					answer := s.Do(t, ann.Token, "POST", notes[on], map[string]any{"body": "/" + name + " x"})
					require.Equal(t, http.StatusBadRequest, answer.Status, name)
				default:
					require.True(t, tested[name], "no row for /%s", name)
				}
			}
		}
	}
}
