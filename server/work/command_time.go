package work

import (
	"context"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/emoji"
	"hew/server/note"
	"hew/server/quick"
	"hew/server/work/duration"
)

func setEstimate[T Commanded](_ context.Context, _ *db.Store, r *CommandRun[T], t *T, text string) (string, error) {
	seconds, ok := duration.Parse(text)
	if !ok && !duration.IsZero(text) || seconds < 0 || seconds > maxSeconds {
		return "", nil
	}
	*partsOf(t).TimeEstimate = seconds
	r.Changes("time_estimate", seconds)
	if seconds == 0 {
		return "Removed time estimate.", nil
	}
	return "Set time estimate to " + duration.Format(seconds) + ".", nil
}

func removeEstimate[T Commanded](_ context.Context, _ *db.Store, r *CommandRun[T], t *T, _ string) (string, error) {
	estimate := partsOf(t).TimeEstimate
	if *estimate == 0 {
		return "", nil
	}
	*estimate = 0
	r.Changes("time_estimate", 0)
	return "Removed time estimate.", nil
}

// spentTime is the value of spend_time in commands_changes.
type spentTime struct {
	Duration int64   `json:"duration"` // seconds
	UserID   int64   `json:"user_id"`
	SpentAt  db.Date `json:"spent_at"`
	NoteID   *int64  `json:"note_id"`
}

// spendTime reads a duration, and a date that is not in the future.
func spendTime[T Commanded](_ context.Context, _ *db.Store, r *CommandRun[T], t *T, argument string) (string, error) {
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
	if total := *partsOf(t).TimeSpent + seconds; !ok || seconds < -maxSeconds || seconds > maxSeconds || total < 0 ||
		total > maxSeconds {
		return "", nil
	}
	change := spentTime{Duration: seconds, UserID: r.Actor.User.ID, SpentAt: *db.DateOf(at)}
	if r.noteID != 0 {
		change.NoteID = &r.noteID
	}
	r.Changes("spend_time", change)
	r.Afterwards(func(ctx context.Context, st *db.Store, t T) error {
		return r.on.Spend(ctx, st, t.Target().ID, Spent{Seconds: seconds, At: at})
	})
	if seconds < 0 {
		return "Subtracted " + duration.Format(-seconds) + " spent time.", nil
	}
	return "Added " + duration.Format(seconds) + " spent time.", nil
}

func removeTimeSpent[T Commanded](_ context.Context, _ *db.Store, r *CommandRun[T], t *T, _ string) (string, error) {
	if *partsOf(t).TimeSpent == 0 {
		return "", nil
	}
	r.Changes("spend_time", map[string]any{"duration": "reset", "user_id": r.Actor.User.ID})
	r.Afterwards(func(ctx context.Context, st *db.Store, t T) error {
		return r.on.ResetSpent(ctx, st, t.Target().ID)
	})
	return "Removed spent time.", nil
}

// react toggles a reaction of the actor.
func react[T Commanded](_ context.Context, _ *db.Store, r *CommandRun[T], _ *T, argument string) (string, error) {
	name, ok := emoji.Canonical(quick.Emoji(argument))
	if !ok {
		return "", nil
	}
	r.Changes("emoji_award", name)
	r.Afterwards(func(ctx context.Context, st *db.Store, t T) error {
		_, err := note.ToggleAward(ctx, st, note.Awardable{Target: t.Target()}, r.Actor.User, name)
		return err
	})
	return "Toggled :" + name + ": emoji reaction.", nil
}
