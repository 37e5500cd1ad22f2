package work

import (
	"context"
	"unicode/utf8"

	"hew/server/db"
)

// CommandParts are what quick actions change of a thing; nil for what it does not have.
type CommandParts struct {
	Word         string // what it is called: issue, epic, merge request
	Title, State *string
	LabelIDs     *[]int64
	Locked       **bool
	Confidential *bool

	AssigneeIDs             *[]int64
	MilestoneID             **int64
	TimeEstimate, TimeSpent *int64 // seconds
}

// CommandParts returns what quick actions change of the issue.
func (i *Issue) CommandParts() CommandParts {
	return CommandParts{
		Word: "issue", Title: &i.Title, State: &i.State, LabelIDs: &i.LabelIDs, Locked: &i.DiscussionLocked,
		Confidential: &i.Confidential, AssigneeIDs: &i.AssigneeIDs, MilestoneID: &i.MilestoneID,
		TimeEstimate: &i.TimeEstimate, TimeSpent: &i.TimeSpent,
	}
}

// CommandParts returns what quick actions change of the epic.
func (e *Epic) CommandParts() CommandParts {
	return CommandParts{
		Word: "epic", Title: &e.Title, State: &e.State, LabelIDs: &e.LabelIDs, Locked: &e.DiscussionLocked,
		Confidential: &e.Confidential,
	}
}

// partsOf returns the parts of a thing.
func partsOf[T Commanded](t *T) CommandParts {
	return any(t).(interface{ CommandParts() CommandParts }).CommandParts()
}

// setState returns a command that leads from one state to the other one.
func setState[T Commanded](from, to, event, verb string) Doer[T] {
	return func(_ context.Context, _ *db.Store, r *CommandRun[T], t *T, _ string) (string, error) {
		p := partsOf(t)
		if *p.State != from {
			return "", nil
		}
		*p.State = to
		r.Changes("state_event", event)
		return verb + " this " + p.Word + ".", nil
	}
}

func setTitle[T Commanded](_ context.Context, _ *db.Store, r *CommandRun[T], t *T, title string) (string, error) {
	if title == "" || utf8.RuneCountInString(title) > 255 {
		return "", nil
	}
	*partsOf(t).Title = title
	r.Changes("title", title)
	return `Changed the title to "` + title + `".`, nil
}

// setLock returns a command that locks or unlocks the discussion.
func setLock[T Commanded](locked bool, said string) Doer[T] {
	return func(_ context.Context, _ *db.Store, r *CommandRun[T], t *T, _ string) (string, error) {
		p := partsOf(t)
		if db.OrZero(*p.Locked) == locked {
			return "", nil
		}
		*p.Locked = &locked
		r.Changes("discussion_locked", locked)
		return said, nil
	}
}

func makeConfidential[T Commanded](_ context.Context, _ *db.Store, r *CommandRun[T], t *T, _ string) (string, error) {
	p := partsOf(t)
	if *p.Confidential {
		return "", nil
	}
	*p.Confidential = true
	r.Changes("confidential", true)
	return "Made this " + p.Word + " confidential.", nil
}
