package work

import (
	"context"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/emoji"
	"hew/server/event"
	"hew/server/note"
	"hew/server/quick"
	"hew/server/work/duration"
)

// spentTime is the value of spend_time in commands_changes.
type spentTime struct {
	Duration int64   `json:"duration"` // seconds
	UserID   int64   `json:"user_id"`
	SpentAt  db.Date `json:"spent_at"`
	NoteID   *int64  `json:"note_id"`
}

// spendTime reads a duration, and a date that is not in the future.
func spendTime(_ context.Context, _ *db.Store, r *CommandRun, i *Issue, argument string) (string, error) {
	at, text := time.Now(), argument
	if words := strings.Fields(argument); len(words) > 1 {
		last := words[len(words)-1]
		if day, err := time.Parse(time.DateOnly, last); err == nil {
			if day.After(at) {
				return "", nil
			}
			at, text = day, strings.TrimSuffix(argument, last)
		}
	}
	seconds, ok := duration.Parse(text)
	if total := i.TimeSpent + seconds; !ok || seconds < -maxSeconds || seconds > maxSeconds || total < 0 ||
		total > maxSeconds {
		return "", nil
	}
	change := spentTime{Duration: seconds, UserID: r.actor.User.ID, SpentAt: *db.DateOf(at)}
	if r.noteID != 0 {
		change.NoteID = &r.noteID
	}
	r.changes("spend_time", change)
	r.afterwards(func(ctx context.Context, st *db.Store, i Issue) error {
		_, err := SpendTime(ctx, st, r.project, r.actor.User, i.ID, Spent{Seconds: seconds, At: at})
		return err
	})
	if seconds < 0 {
		return "Subtracted " + duration.Format(-seconds) + " spent time.", nil
	}
	return "Added " + duration.Format(seconds) + " spent time.", nil
}

func removeTimeSpent(_ context.Context, _ *db.Store, r *CommandRun, i *Issue, _ string) (string, error) {
	if i.TimeSpent == 0 {
		return "", nil
	}
	r.changes("spend_time", map[string]any{"duration": "reset", "user_id": r.actor.User.ID})
	r.afterwards(func(ctx context.Context, st *db.Store, i Issue) error {
		_, err := ResetTimeSpent(ctx, st, r.project, r.actor.User, i.ID)
		return err
	})
	return "Removed spent time.", nil
}

// react toggles a reaction of the actor.
func react(_ context.Context, _ *db.Store, r *CommandRun, _ *Issue, argument string) (string, error) {
	name, ok := emoji.Canonical(quick.Emoji(argument))
	if !ok {
		return "", nil
	}
	r.changes("emoji_award", name)
	r.afterwards(func(ctx context.Context, st *db.Store, i Issue) error {
		_, err := note.ToggleAward(ctx, st, note.Awardable{Target: i.Target()}, r.actor.User, name)
		return err
	})
	return "Toggled :" + name + ": emoji reaction.", nil
}

// emitTodo raises TodoAsked when the issue is stored.
func (r *CommandRun) emitTodo(done bool) {
	r.afterwards(func(ctx context.Context, st *db.Store, i Issue) error {
		return event.Emit(ctx, st, TodoAsked{On: i.Target(), By: r.actor.User, Done: done})
	})
}
