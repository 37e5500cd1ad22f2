package load

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"hew/server/emoji"
	"hew/server/transfer/archive"
)

// target is an issue, merge request or snippet whose parts are stored.
type target struct {
	document Document
	kind     string // Issue, MergeRequest, Snippet
	column   string // issue_id, merge_request_id, snippet_id
	id       int64
	iid      int // 0 for a snippet, which has none
}

// threads names the target in the ids of its threads.
func (t target) threads() string {
	if t.iid == 0 {
		return fmt.Sprint(t.kind, " of line ", t.document.Line)
	}
	return fmt.Sprint(t.kind, " ", t.iid)
}

// row returns a row that refers to the target, by the column that tables of parts have for it.
func (t target) row(more row) row {
	more[t.column] = t.id
	return more
}

// addEmoji adds the reactions to the target, or to a note.
func (b *batch) addEmoji(column string, id int64, list []archive.AwardEmoji) {
	for _, a := range list {
		name, ok := emoji.Canonical(a.Name)
		if !ok || a.UserID == nil {
			continue // this server has no such reaction
		}
		created, updated := span(a.CreatedAt, a.UpdatedAt)
		b.add("award_emoji", row{
			column: id, "user_id": b.author(a.UserID), "name": name, "created_at": created, "updated_at": updated,
		})
	}
}

// addTime adds the time that was spent on the target, and returns its sum in seconds.
func (b *batch) addTime(t target, list []archive.Timelog) (spent int64) {
	const most = 1 << 40 // seconds: no sum of them overflows
	for _, l := range list {
		if l.TimeSpent == 0 || l.TimeSpent > most || l.TimeSpent < -most {
			continue
		}
		var summary any
		if l.Summary != nil {
			summary = cut(*l.Summary)
		}
		created := timeOr(l.CreatedAt, time.Now().UTC())
		b.add("timelogs", t.row(row{
			"user_id": b.user(l.UserID), "seconds": l.TimeSpent, "summary": summary,
			"spent_at": timeOr(l.SpentAt, created), "created_at": created,
		}))
		spent += l.TimeSpent
	}
	return max(spent, 0)
}

// addChanges adds what became of labels, milestone and state of the target.
func (b *batch) addChanges(
	t target, labels []archive.ResourceLabelEvent, milestones []archive.ResourceMilestoneEvent,
	states []archive.ResourceStateEvent,
) {
	var rows []row
	add := func(field string, action any, user *int64, at *time.Time, label, milestone, commit any) {
		rows = append(rows, t.row(row{
			"user_id": b.user(user), "field": field, "action": action, "label_id": label, "milestone_id": milestone,
			"commit_oid": commit, "created_at": timeOr(at, time.Now().UTC()),
		}))
	}
	for _, e := range labels {
		if e.Label != nil && b.found.labels[e.Label.Title] != 0 {
			add("label", oneOf(e.Action, "add", "remove"), e.UserID, e.CreatedAt,
				b.found.labels[e.Label.Title], nil, nil)
		}
	}
	for _, e := range milestones {
		if e.Milestone != nil && b.found.milestones[e.Milestone.Title] != 0 {
			add("milestone", oneOf(e.Action, "add", "remove"), e.UserID, e.CreatedAt, nil,
				b.found.milestones[e.Milestone.Title], nil)
		}
	}
	for _, e := range states {
		action := oneOf(e.State, nil, "closed", "reopened", "merged")
		if e.State == "opened" {
			action = "reopened"
		}
		if action != nil {
			add("state", action, e.UserID, e.CreatedAt, nil, nil, oid(e.SourceCommit))
		}
	}
	// what the state was at an event follows from the order of all of them
	slices.SortStableFunc(rows, func(x, y row) int {
		return x["created_at"].(time.Time).Compare(y["created_at"].(time.Time))
	})
	for _, r := range rows {
		b.add("resource_events", r)
	}
}

// eventActions are the actions of events, by their numbers in archives before 14.
var eventActions = map[archive.Word]string{
	"1": "created", "2": "updated", "3": "closed", "4": "reopened", "6": "commented", "7": "merged", "12": "approved",
	"created": "created", "updated": "updated", "closed": "closed", "reopened": "reopened", "commented": "commented",
	"merged": "merged", "approved": "approved",
}

// addEvents adds what users did with something, which the columns name. Events without an author
// are left out.
func (b *batch) addEvents(list []archive.Event, of row) {
	for _, e := range list {
		action, ok := eventActions[e.Action]
		if !ok || e.AuthorID == nil {
			continue
		}
		r := row{
			"project_id": b.project.ID, "author_id": b.author(e.AuthorID), "action": action,
			"created_at": timeOr(e.CreatedAt, time.Now().UTC()),
		}
		maps.Copy(r, of)
		b.add("user_events", r)
	}
}

// eventsOf returns the columns of events about the target.
func (t target) eventsOf(title string) row {
	return t.row(row{"target_type": t.kind, "target_id": t.id, "target_iid": t.iid, "title": title})
}

// addUsers adds rows that connect the target with users, each user once.
func (b *batch) addUsers(table, column string, id int64, list []archive.UserLink) {
	seen := map[int64]bool{}
	for _, u := range list {
		if u.UserID == nil {
			continue
		}
		user := b.author(u.UserID)
		if seen[user] {
			continue
		}
		seen[user] = true
		b.add(table, row{column: id, "user_id": user})
	}
}

// addLabels connects the target with its labels.
func (b *batch) addLabels(table, column string, id int64, list []archive.LabelLink) {
	for _, link := range list {
		if link.Label != nil && b.found.labels[link.Label.Title] != 0 {
			b.add(table, row{column: id, "label_id": b.found.labels[link.Label.Title]})
		}
	}
}
