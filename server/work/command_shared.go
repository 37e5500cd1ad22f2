package work

import (
	"context"
	"unicode/utf8"

	"hew/server/db"
)

// parts are what quick actions change of issues and epics alike.
type parts struct {
	word         string // what it is called: issue, epic
	title, state *string
	labelIDs     *[]int64
	locked       **bool
	confidential *bool
}

func (i *Issue) parts() parts {
	return parts{"issue", &i.Title, &i.State, &i.LabelIDs, &i.DiscussionLocked, &i.Confidential}
}

func (e *Epic) parts() parts {
	return parts{"epic", &e.Title, &e.State, &e.LabelIDs, &e.DiscussionLocked, &e.Confidential}
}

// partsOf returns the parts of an issue or epic.
func partsOf[T Commanded](t *T) parts { return any(t).(interface{ parts() parts }).parts() }

// setState returns a command that leads to a state from the other one.
func setState[T Commanded](state, event, verb string) doer[T] {
	return func(_ context.Context, _ *db.Store, r *CommandRun[T], t *T, _ string) (string, error) {
		p := partsOf(t)
		if *p.state == state {
			return "", nil
		}
		*p.state = state
		r.changes("state_event", event)
		return verb + " this " + p.word + ".", nil
	}
}

func setTitle[T Commanded](_ context.Context, _ *db.Store, r *CommandRun[T], t *T, title string) (string, error) {
	if title == "" || utf8.RuneCountInString(title) > 255 {
		return "", nil
	}
	*partsOf(t).title = title
	r.changes("title", title)
	return `Changed the title to "` + title + `".`, nil
}

// setLock returns a command that locks or unlocks the discussion.
func setLock[T Commanded](locked bool, said string) doer[T] {
	return func(_ context.Context, _ *db.Store, r *CommandRun[T], t *T, _ string) (string, error) {
		p := partsOf(t)
		if isTrue(*p.locked) == locked {
			return "", nil
		}
		*p.locked = &locked
		r.changes("discussion_locked", locked)
		return said, nil
	}
}

func makeConfidential[T Commanded](_ context.Context, _ *db.Store, r *CommandRun[T], t *T, _ string) (string, error) {
	p := partsOf(t)
	if *p.confidential {
		return "", nil
	}
	*p.confidential = true
	r.changes("confidential", true)
	return "Made this " + p.word + " confidential.", nil
}
