package work

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/note"
	"hew/server/tree"
	"hew/server/work/duration"
)

// Spent is time that a user spent on an issue.
type Spent struct {
	Seconds int64 // negative takes time back
	Summary string
	At      time.Time // zero: now
}

// maxSeconds is what the times of an issue add up to at most.
const maxSeconds = 1<<31 - 1

// SpendTime adds time to an issue, or takes it back, and returns the issue.
func SpendTime(ctx context.Context, st *db.Store, p tree.Project, by tree.User, id int64, t Spent) (Issue, error) {
	var said string
	i, err := ChangeIssue(ctx, st, p, by, db.ByID(id), func(st *db.Store, i *Issue) error {
		switch {
		case t.Seconds == 0:
			return fault.Invalid("base", "Time spent can't be zero")
		case i.TimeSpent+t.Seconds < 0:
			return fault.Invalid("base", "Time to subtract exceeds the total time spent")
		case i.TimeSpent+t.Seconds > maxSeconds:
			return fault.Invalid("base", "The total time spent is too large")
		}
		i.TimeSpent += t.Seconds
		at := t.At
		if at.IsZero() {
			at = time.Now()
		}
		said = spentNote(t.Seconds, at)
		return st.Exec(ctx, `
			insert into timelogs (issue_id, user_id, seconds, summary, spent_at)
			values (@issue, @user, @seconds, nullif(@summary, ''), @at)`,
			pgx.NamedArgs{"issue": i.ID, "user": by.ID, "seconds": t.Seconds, "summary": t.Summary, "at": at})
	})
	if err != nil {
		return i, err
	}
	return i, note.AddSystem(ctx, st, i.Target(), by.ID, said)
}

// ResetTimeSpent forgets all time that was spent on an issue, and returns the issue.
func ResetTimeSpent(ctx context.Context, st *db.Store, p tree.Project, by tree.User, id int64) (Issue, error) {
	had := false
	i, err := ChangeIssue(ctx, st, p, by, db.ByID(id), func(st *db.Store, i *Issue) error {
		had, i.TimeSpent = i.TimeSpent != 0, 0
		return st.Exec(ctx, `delete from timelogs where issue_id = @issue`, pgx.NamedArgs{"issue": i.ID})
	})
	if err != nil || !had {
		return i, err
	}
	return i, note.AddSystem(ctx, st, i.Target(), by.ID, "removed time spent")
}

// spentNote returns the text about time that was spent at a time.
func spentNote(seconds int64, at time.Time) string {
	text := "added " + duration.Format(seconds) + " of time spent"
	if seconds < 0 {
		text = "subtracted " + duration.Format(-seconds) + " of time spent"
	}
	if day := at.UTC().Format(time.DateOnly); day != db.Today().String() {
		text += " at " + day
	}
	return text
}
