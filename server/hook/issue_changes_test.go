package hook

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/work"
)

// A change of every field of an issue is in the payload, each under its name; what identifies the
// issue does not change.
func TestEveryChangedFieldIsTold(t *testing.T) {
	t.Parallel()
	day, moment := db.Today(), time.Now().Add(-time.Hour)
	before := work.Issue{ID: 7, IID: 1, ProjectID: 3, Title: "was", State: work.Opened, Type: "issue",
		Severity: "unknown", CreatedAt: moment, UpdatedAt: moment}
	edits := map[string]func(*work.Issue){
		"title":             func(i *work.Issue) { i.Title = "is" },
		"description":       func(i *work.Issue) { i.Description = new("text") },
		"author_id":         func(i *work.Issue) { i.AuthorID = new(int64(5)) },
		"state_id":          func(i *work.Issue) { i.State = work.Closed },
		"issue_type":        func(i *work.Issue) { i.Type = "incident" },
		"confidential":      func(i *work.Issue) { i.Confidential = true },
		"discussion_locked": func(i *work.Issue) { i.DiscussionLocked = new(true) },
		"milestone_id":      func(i *work.Issue) { i.MilestoneID = new(int64(5)) },
		"iteration_id":      func(i *work.Issue) { i.IterationID = new(int64(5)) },
		"epic_id":           func(i *work.Issue) { i.EpicID = new(int64(5)) },
		"weight":            func(i *work.Issue) { i.Weight = new(5) },
		"health_status":     func(i *work.Issue) { i.HealthStatus = new("at_risk") },
		"severity":          func(i *work.Issue) { i.Severity = "high" },
		"due_date":          func(i *work.Issue) { i.DueDate = &day },
		"relative_position": func(i *work.Issue) { i.RelativePosition = new(5) },
		"time_estimate":     func(i *work.Issue) { i.TimeEstimate = 60 },
		"total_time_spent":  func(i *work.Issue) { i.TimeSpent = 60 },
		"moved_to_id":       func(i *work.Issue) { i.MovedToID = new(int64(5)) },
		"duplicated_to_id":  func(i *work.Issue) { i.DuplicateOfID = new(int64(5)) },
		"closed_at":         func(i *work.Issue) { i.ClosedAt = &moment },
		"last_edited_at":    func(i *work.Issue) { i.LastEditedAt = &moment },
		"last_edited_by_id": func(i *work.Issue) { i.LastEditedByID = new(int64(5)) },
		"labels":            func(i *work.Issue) { i.LabelIDs = []int64{4} },
		"assignees":         func(i *work.Issue) { i.AssigneeIDs = []int64{5} },
	}
	refs := issueRefs{labels: map[int64]labelPayload{4: {ID: 4}}, users: map[int64]hookUser{5: {ID: 5}}}
	for name, edit := range edits {
		now := before
		edit(&now)
		changes, err := changesOf(work.IssueChanged{Before: before, Issue: now, Action: work.Updating}, refs)
		require.NoError(t, err)
		delete(changes, "time_change") // beside the total
		require.Equal(t, []string{name}, slices.Collect(maps.Keys(changes)))
	}

	columns, err := fieldsOf(newIssueColumns(before))
	require.NoError(t, err)
	for name := range columns {
		if !slices.Contains([]string{"id", "iid", "project_id", "created_at", "updated_at", "updated_by_id"}, name) {
			require.Contains(t, edits, name, "a column without a test")
		}
	}
}
