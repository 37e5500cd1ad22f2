package work

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/sergi/go-diff/diffmatchpatch"

	"hew/server/db"
	"hew/server/note"
	"hew/server/tree"
	"hew/server/work/duration"
)

// noteIssue keeps what a user changed of an issue: some fields as resource events, others as system
// notes (more §2.4, §4). Before is zero for a new issue.
func noteIssue(ctx context.Context, st *db.Store, before, i Issue, by tree.User) error {
	log := EventLog{On: i.Target(), By: by.ID}
	log.Labels(before.LabelIDs, i.LabelIDs)
	log.Reference(MilestoneField, before.MilestoneID, i.MilestoneID,
		func(e *ResourceEvent, id *int64) { e.MilestoneID = id })
	log.Reference(IterationField, before.IterationID, i.IterationID,
		func(e *ResourceEvent, id *int64) { e.IterationID = id })
	if before.ID != 0 {
		log.State(before.State, i.State)
	}
	if numberOf(before.Weight) != numberOf(i.Weight) {
		log.Add(WeightField, "add", func(e *ResourceEvent) { e.Weight = i.Weight })
	}
	if err := log.Store(ctx, st); err != nil {
		return err
	}
	texts, err := issueNotes(ctx, st, before, i)
	if err != nil {
		return err
	}
	if err := note.AddSystem(ctx, st, i.Target(), by.ID, texts...); err != nil {
		return err
	}
	return noteEpicOf(ctx, st, before, i, by)
}

// issueNotes returns the texts of the system notes about a change.
func issueNotes(ctx context.Context, st *db.Store, before, i Issue) (texts []string, err error) {
	added, removed := Without(i.AssigneeIDs, before.AssigneeIDs), Without(before.AssigneeIDs, i.AssigneeIDs)
	if len(added)+len(removed) > 0 {
		names, err := Usernames(ctx, st, append(added, removed...))
		if err != nil {
			return nil, err
		}
		texts = append(texts, Both("assigned to", names(added), "unassigned", names(removed)))
	}
	if before.ID == 0 {
		return texts, nil
	}
	texts = append(texts, ChangeNotes("issue", before.noted(), i.noted())...)
	say := func(changed bool, format string, args ...any) {
		if changed {
			texts = append(texts, fmt.Sprintf(format, args...))
		}
	}
	say(before.Type != i.Type, "changed type from %s to %s", typeWords(before.Type), typeWords(i.Type))
	texts = append(texts, dateNote("due date", before.DueDate, i.DueDate)...)
	health, was := db.OrZero(i.HealthStatus), db.OrZero(before.HealthStatus)
	say(health != "" && health != was, "changed health status to **%s**", typeWords(health))
	say(health == "" && was != "", "removed health status **%s**", typeWords(was))
	return append(texts, EstimateNote(before.TimeEstimate, i.TimeEstimate)...), nil
}

// EstimateNote returns the text about a changed estimate, in seconds.
func EstimateNote(before, now int64) []string {
	switch {
	case before == now:
		return nil
	case before == 0:
		return []string{"added time estimate of " + duration.Format(now)}
	case now == 0:
		return []string{"removed time estimate of " + duration.Format(before)}
	}
	return []string{"changed time estimate to " + duration.Format(now) + " from " + duration.Format(before)}
}

// Usernames returns a function that lists users by their mentions.
func Usernames(ctx context.Context, st *db.Store, ids []int64) (func(ids []int64) string, error) {
	type user struct {
		ID       int64  `db:"id"`
		Username string `db:"username"`
	}
	list, err := db.Many[user](ctx, st, `select id, username from users where id = any(@ids)`,
		pgx.NamedArgs{"ids": ids})
	names := map[int64]string{}
	for _, u := range list {
		names[u.ID] = "@" + u.Username
	}
	return func(ids []int64) string {
		var mentions []string
		for _, id := range ids {
			mentions = append(mentions, names[id])
		}
		return enumerate(mentions)
	}, err
}

// enumerate returns "a", "a and b" or "a, b, and c".
func enumerate(words []string) string {
	switch n := len(words); n {
	case 0, 1, 2:
		return strings.Join(words, " and ")
	default:
		return strings.Join(words[:n-1], ", ") + ", and " + words[n-1]
	}
}

// both joins the halves of a note whose objects are not empty.
func Both(first, objects, second, others string) string {
	var halves []string
	if objects != "" {
		halves = append(halves, first+" "+objects)
	}
	if others != "" {
		halves = append(halves, second+" "+others)
	}
	return strings.Join(halves, " and ")
}

// titleChange shows what is different in a title: "**a {-b-}** to **a {+c+}**".
func titleChange(before, now string) string {
	differ := diffmatchpatch.New()
	var old, current strings.Builder
	for _, d := range differ.DiffCleanupSemantic(differ.DiffMain(before, now, false)) {
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			old.WriteString("{-" + d.Text + "-}")
		case diffmatchpatch.DiffInsert:
			current.WriteString("{+" + d.Text + "+}")
		default:
			old.WriteString(d.Text)
			current.WriteString(d.Text)
		}
	}
	return "**" + old.String() + "** to **" + current.String() + "**"
}

// typeWords returns a value of an enumeration as words: "at risk".
func typeWords(value string) string { return strings.ReplaceAll(value, "_", " ") }

// longDate returns a day as notes show it: "September 20, 2018".
func longDate(d *db.Date) string {
	if d == nil {
		return ""
	}
	return d.Format("January 2, 2006")
}

func sameDay(a, b *db.Date) bool {
	return a == b || a != nil && b != nil && a.Equal(b.Time)
}

// numberOf returns a number that may be missing, -1 if it is.
func numberOf(n *int) int {
	if n == nil {
		return -1
	}
	return *n
}
