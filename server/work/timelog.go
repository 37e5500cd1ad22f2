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

// Spent is time that a user spent on an issue or merge request.
type Spent struct {
	Seconds int64 // negative takes time back
	Summary string
	At      time.Time // zero: now
}

// maxSeconds is what the times of an issue add up to at most.
const maxSeconds = 1<<31 - 1

// SpendTime adds time to an issue, or takes it back, and returns the issue.
func SpendTime(ctx context.Context, st *db.Store, p tree.Project, by tree.User, id int64, t Spent) (Issue, error) {
	i, err := ChangeIssue(ctx, st, p, by, db.ByID(id), func(st *db.Store, i *Issue) error {
		return t.Add(ctx, st, i.Target(), by, &i.TimeSpent)
	})
	if err != nil {
		return i, err
	}
	return i, t.Note(ctx, st, i.Target(), by)
}

// Add logs the time on an issue or merge request whose total is given, in seconds, and changes the
// total.
func (t Spent) Add(ctx context.Context, st *db.Store, on note.Target, by tree.User, total *int64) error {
	switch {
	case t.Seconds == 0:
		return fault.Invalid("base", "Time spent can't be zero")
	case *total+t.Seconds < 0:
		return fault.Invalid("base", "Time to subtract exceeds the total time spent")
	case *total+t.Seconds > maxSeconds:
		return fault.Invalid("base", "The total time spent is too large")
	}
	*total += t.Seconds
	ids := on.IDs()
	return st.Exec(ctx, `
		insert into timelogs (issue_id, merge_request_id, user_id, seconds, summary, spent_at)
		values (@issue, @request, @user, @seconds, nullif(@summary, ''), @at)`,
		pgx.NamedArgs{
			"issue": ids.IssueID, "request": ids.MergeRequestID, "user": by.ID, "seconds": t.Seconds,
			"summary": t.Summary, "at": t.at(),
		})
}

func (t Spent) at() time.Time {
	if t.At.IsZero() {
		return time.Now()
	}
	return t.At
}

// Note notes down on an issue or merge request that the time was spent.
func (t Spent) Note(ctx context.Context, st *db.Store, on note.Target, by tree.User) error {
	text := "added " + duration.Format(t.Seconds) + " of time spent"
	if t.Seconds < 0 {
		text = "subtracted " + duration.Format(-t.Seconds) + " of time spent"
	}
	if day := t.at().UTC().Format(time.DateOnly); day != db.Today().String() {
		text += " at " + day
	}
	return note.AddSystem(ctx, st, on, by.ID, text)
}

// ResetTimeSpent forgets all time that was spent on an issue, and returns the issue.
func ResetTimeSpent(ctx context.Context, st *db.Store, p tree.Project, by tree.User, id int64) (Issue, error) {
	had := false
	i, err := ChangeIssue(ctx, st, p, by, db.ByID(id), func(st *db.Store, i *Issue) error {
		had = i.TimeSpent != 0
		return ForgetTime(ctx, st, i.Target(), &i.TimeSpent)
	})
	if err != nil || !had {
		return i, err
	}
	return i, NoteForgotten(ctx, st, i.Target(), by)
}

// ForgetTime removes all time that was logged on an issue or merge request, and sets its total to
// 0.
func ForgetTime(ctx context.Context, st *db.Store, on note.Target, total *int64) error {
	*total = 0
	return st.Exec(ctx, `delete from timelogs where `+targetColumn(on)+` = @id`, pgx.NamedArgs{"id": on.ID})
}

// NoteForgotten notes down on an issue or merge request that its time was forgotten.
func NoteForgotten(ctx context.Context, st *db.Store, on note.Target, by tree.User) error {
	return note.AddSystem(ctx, st, on, by.ID, "removed time spent")
}
