package work

import (
	"time"

	"hew/server/tree"
)

// Action says what a change did to an issue, epic or milestone, as hooks call it.
type Action string

// The actions.
const (
	Opening   Action = "open"
	Updating  Action = "update"
	Closing   Action = "close"
	Reopening Action = "reopen"
)

// stampState sets when and by whom something was closed, if its state has changed.
func stampState(before, state string, at **time.Time, who **int64, by tree.User) {
	switch {
	case state == before:
	case state == Closed:
		*at, *who = new(time.Now().Truncate(time.Millisecond)), &by.ID
	default:
		*at, *who = nil, nil
	}
}

// stampText sets when and by whom a text was edited, if it was.
func stampText(edited bool, at **time.Time, who **int64, by tree.User) {
	if edited {
		*at, *who = new(time.Now().Truncate(time.Millisecond)), &by.ID
	}
}

// actionOf returns what changing a state from one to another is.
func actionOf(before, now string) Action {
	switch {
	case before == now:
		return Updating
	case now == Closed:
		return Closing
	}
	return Reopening
}
