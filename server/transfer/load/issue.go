package load

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/markdown"
	"hew/server/note"
	"hew/server/transfer/archive"
)

// storeIssues stores issues with all of their parts.
func storeIssues(ctx context.Context, b *batch, documents []Document) error {
	var w wanted
	notes := 0
	for _, d := range documents {
		if i, ok := d.Value.(*archive.Issue); ok {
			wantParts(&w, i.Milestone, i.LabelLinks, i.ResourceLabelEvents, i.ResourceMilestoneEvents)
			w.iterations = append(w.iterations, i.Iteration)
			if i.EpicIssue != nil {
				w.epics = append(w.epics, i.EpicIssue.Epic)
			}
			notes += len(i.Notes)
		}
	}
	if err := b.find(ctx, w); err != nil {
		return err
	}
	if err := b.reserve(ctx, "issues", len(documents)); err != nil {
		return err
	}
	if err := b.reserve(ctx, "notes", notes); err != nil {
		return err
	}
	b.after = append(b.after, b.pairWithEpics)
	return each(b, documents, b.addIssue)
}

// pairWithEpics gives the pairs of issues and epics their ids.
func (b *batch) pairWithEpics(ctx context.Context) error {
	if len(b.inEpics) == 0 {
		return nil
	}
	return b.st.Exec(ctx, `
		update issues set epic_issue_id = nextval('epic_issue_ids') where id = any(@ids) and epic_issue_id is null`,
		pgx.NamedArgs{"ids": b.inEpics})
}

// wantParts adds what an issue or merge request refers to.
func wantParts(
	w *wanted, m *archive.Milestone, labels []archive.LabelLink, events []archive.ResourceLabelEvent,
	milestones []archive.ResourceMilestoneEvent,
) {
	w.milestone(m)
	for _, l := range labels {
		w.label(l.Label)
	}
	for _, e := range events {
		w.label(e.Label)
	}
	for _, e := range milestones {
		w.milestone(e.Milestone)
	}
}

// addIssue adds the rows of an issue.
func (b *batch) addIssue(d Document, i *archive.Issue) error {
	iid, err := number(i.IID)
	if err != nil {
		return err
	}
	if err := checkTitle("title", i.Title); err != nil {
		return err
	}
	due, err := date("due_date", i.DueDate)
	if err != nil {
		return err
	}
	t := target{document: d, kind: string(note.Issue), column: "issue_id", id: b.take("issues"), iid: iid}
	created, updated := span(i.CreatedAt, i.UpdatedAt)
	r := row{
		"id": t.id, "project_id": b.project.ID, "iid": iid, "author_id": b.author(i.AuthorID), "title": i.Title,
		"description": quoted(i.Description), "state": oneOf(i.State, "opened", "closed"), "type": typeOf(i),
		"confidential": i.Confidential, "discussion_locked": i.DiscussionLocked, "milestone_id": nil,
		"iteration_id": nil, "epic_id": nil, "weight": nil, "health_status": nil, "severity": "unknown",
		"due_date": due, "relative_position": small(i.RelativePosition), "time_estimate": max(0, i.TimeEstimate),
		"closed_at": nil, "closed_by_id": nil, "last_edited_at": i.LastEditedAt, "last_edited_by_id": nil,
		"created_at": created, "updated_at": updated, "upvotes": 0, "downvotes": 0,
	} // the votes are counted by Postgres
	if r["state"] == "closed" {
		r["closed_at"], r["closed_by_id"] = timeOr(i.ClosedAt, updated), b.user(i.ClosedByID)
	}
	if i.LastEditedAt != nil {
		r["last_edited_by_id"] = b.user(i.LastEditedByID)
	}
	if i.Milestone != nil {
		r["milestone_id"] = idOf(b.found.milestones, i.Milestone.Title)
	}
	if i.Iteration != nil {
		r["iteration_id"] = idOf(b.found.iterations, spanOf(i.Iteration))
	}
	if i.EpicIssue != nil && i.EpicIssue.Epic != nil {
		r["epic_id"] = idOf(b.found.epics, i.EpicIssue.Epic.Title)
		if r["epic_id"] != nil {
			r["epic_position"] = small(i.EpicIssue.RelativePosition)
			b.inEpics = append(b.inEpics, t.id)
		}
	}
	if i.Weight != nil && *i.Weight >= 0 && *i.Weight < 1<<31 {
		r["weight"] = *i.Weight
	}
	if i.HealthStatus != nil {
		r["health_status"] = oneOf(*i.HealthStatus, nil, "on_track", "needs_attention", "at_risk")
	}
	if i.Severity != nil {
		r["severity"] = oneOf(*i.Severity, "unknown", "low", "medium", "high", "critical")
	}
	r["task_count"], r["tasks_done"] = countTasks(i.Description)
	r["time_spent"] = b.addTime(t, i.Timelogs)
	b.add("issues", r)
	b.iids["issue"] = max(b.iids["issue"], iid)

	b.addLabels("issue_labels", t.column, t.id, i.LabelLinks)
	b.addUsers("issue_assignees", t.column, t.id, i.IssueAssignees)
	b.addNotes(t, i.Notes)
	b.addEmoji(t.column, t.id, i.AwardEmoji)
	b.addChanges(t, i.ResourceLabelEvents, i.ResourceMilestoneEvents, i.ResourceStateEvents)
	b.addEvents(i.Events, t.eventsOf(i.Title))
	b.lack("designs", len(i.Designs)+len(i.DesignVersions))
	b.lack("zoom_meetings", len(i.ZoomMeetings))
	if len(i.SentryIssue) > 0 && string(i.SentryIssue) != "null" {
		b.lack("sentry_issue", 1)
	}
	return nil
}

// countTasks returns how many tasks a description has, and how many of them are done.
func countTasks(description *string) (count, done int) {
	if description == nil {
		return 0, 0
	}
	for _, t := range markdown.Tasks(*description) {
		count++
		if t.Done {
			done++
		}
	}
	return count, done
}

// typesBefore are the types of issues by their numbers in older archives.
var typesBefore = map[archive.Word]archive.Word{"0": "issue", "1": "incident", "2": "test_case", "4": "task"}

// typeOf returns the type of an issue; those that do not exist here are issues.
func typeOf(i *archive.Issue) any {
	kind := i.IssueType
	if kind == "" && i.WorkItemType != nil {
		kind = i.WorkItemType.BaseType
	}
	if word, ok := typesBefore[kind]; ok {
		kind = word
	}
	return oneOf(archive.Word(strings.ToLower(string(kind))), "issue", "incident", "test_case", "task")
}
