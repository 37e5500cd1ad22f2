package work

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hew/server/db"
	"hew/server/note"
	"hew/server/quick"
	"hew/server/tree"
)

// Actor is who runs quick actions on something, and what they may do (more §5).
type Actor struct {
	User   tree.User
	Viewer Viewer
	Base   string // the address of the server
	Admin  bool   // may change labels, assignees, dates and links
	Edits  bool   // may change the text and the state
	Reacts bool   // may react
}

// Right says who may run a command.
type Right func(Actor) bool

// Anybody admits all who are signed in.
func Anybody(a Actor) bool { return a.User.ID != 0 }

// Editor admits who may change the text and the state.
func Editor(a Actor) bool { return a.Admin || a.Edits }

// Planner admits who may change labels, assignees, dates and links.
func Planner(a Actor) bool { return a.Admin }

// Reactor admits who may react.
func Reactor(a Actor) bool { return a.Reacts }

// Commanded are the things that quick actions are run on: issues, epics and merge requests. Their
// pointers have the method CommandParts.
type Commanded interface {
	Target() note.Target
	ReferenceFrom(path string) string
}

// Doer is the function of a command. It edits the thing, leaves what else is to be done to
// CommandRun.Afterwards, and returns what the command says; "" if it does not fit.
type Doer[T Commanded] = func(
	ctx context.Context, st *db.Store, r *CommandRun[T], t *T, argument string,
) (string, error)

// Command is how a quick action is run.
type Command[T Commanded] struct {
	May   Right
	Edits bool // the thing itself
	Do    Doer[T]
}

// FailedCommand is the error of a command that could not be run: what it says.
type FailedCommand string

func (f FailedCommand) Error() string { return string(f) }

// CommandsOn is what is needed to run quick actions on a kind of things.
type CommandsOn[T Commanded] struct {
	At      Place        // where the texts stand
	Project tree.Project // of an issue or merge request
	Table   map[string]Command[T]
	// Change edits the thing with an id.
	Change func(ctx context.Context, st *db.Store, id int64, edit db.Edit[T]) (T, error)

	// what is nil where no command needs it

	// Find returns the things that an argument names and the actor sees.
	Find func(ctx context.Context, st *db.Store, argument string) ([]T, error)
	// Readers returns those of the users who see a thing.
	Readers func(ctx context.Context, st *db.Store, t T, users []int64) ([]int64, error)
	// Spend adds time to the thing with an id.
	Spend func(ctx context.Context, st *db.Store, id int64, s Spent) error
	// ResetSpent forgets the time that was spent on it.
	ResetSpent func(ctx context.Context, st *db.Store, id int64) error
}

// CommandRun runs the quick actions of one text: Edit in the change of the thing, Finish when that
// is stored. Run does both.
type CommandRun[T Commanded] struct {
	Actor  Actor
	on     CommandsOn[T]
	calls  []quick.Call
	noteID int64
	said   []outcome // of each call
	now    int       // the number of the call that is run
	edited map[string]any
	later  []func(ctx context.Context, st *db.Store, t T) error
	last   []func(ctx context.Context, st *db.Store, t T) error // after these
}

// outcome is what a call says.
type outcome struct {
	text string
	ran  bool
	open bool // what it says is known when the thing is stored
}

// NewRun returns a run of calls. NoteID is that of the note that has them, 0 if there is none.
func NewRun[T Commanded](a Actor, on CommandsOn[T], calls []quick.Call, noteID int64) *CommandRun[T] {
	return &CommandRun[T]{Actor: a, on: on, calls: calls, noteID: noteID, said: make([]outcome, len(calls))}
}

// IsEmpty reports whether the text has no commands.
func (r *CommandRun[T]) IsEmpty() bool { return len(r.calls) == 0 }

// Calls reports whether the text has a command that the actor may run.
func (r *CommandRun[T]) Calls(name string) bool {
	return slices.ContainsFunc(r.calls, func(c quick.Call) bool { return c.Name == name && r.may(c) })
}

// may reports whether the actor may run a command.
func (r *CommandRun[T]) may(c quick.Call) bool {
	command, known := r.on.Table[c.Name]
	return known && command.May(r.Actor)
}

// edits reports whether a call may change the thing itself.
func (r *CommandRun[T]) edits() bool {
	return slices.ContainsFunc(r.calls, func(c quick.Call) bool { return r.may(c) && r.on.Table[c.Name].Edits })
}

// Edit applies the calls to the thing. A call that is not allowed, or does not fit, changes
// nothing.
func (r *CommandRun[T]) Edit(ctx context.Context, st *db.Store, t *T) error {
	for n, c := range r.calls {
		r.now = n
		said := ""
		if r.may(c) {
			var err error
			said, err = r.on.Table[c.Name].Do(ctx, st, r, t, c.Argument)
			if why, ok := errors.AsType[FailedCommand](err); ok {
				r.said[n].text = string(why)
				continue
			}
			if err != nil {
				return err
			}
		}
		if r.said[n].open {
			continue
		}
		r.say(n, said)
	}
	return nil
}

// say keeps what a call says, "" if it does not fit.
func (r *CommandRun[T]) say(n int, said string) {
	r.said[n] = outcome{text: said, ran: said != ""}
	if said == "" {
		r.said[n].text = fmt.Sprintf("Could not apply %s command.", r.calls[n].Name)
	}
}

// Finish does what the calls leave for when the thing is stored, and returns the outcome.
func (r *CommandRun[T]) Finish(ctx context.Context, st *db.Store, t T) (out note.Outcome, err error) {
	for _, do := range append(r.later, r.last...) {
		if err := do(ctx, st, t); err != nil {
			return out, err
		}
	}
	for _, said := range r.said {
		if said.ran {
			out.Applied(said.text)
		} else {
			out.Failed(said.text)
		}
	}
	out.Changes = r.edited
	return out, nil
}

// Run runs the quick actions on a thing that is stored.
func (r *CommandRun[T]) Run(ctx context.Context, st *db.Store, t T) (out note.Outcome, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if r.edits() {
			t, err = r.on.Change(ctx, st, t.Target().ID, func(st *db.Store, t *T) error { return r.Edit(ctx, st, t) })
		} else {
			err = r.Edit(ctx, st, &t)
		}
		if err != nil {
			return err
		}
		out, err = r.Finish(ctx, st, t)
		return err
	})
	return out, err
}

// Changes keeps a value of commands_changes.
func (r *CommandRun[T]) Changes(key string, value any) {
	if r.edited == nil {
		r.edited = map[string]any{}
	}
	r.edited[key] = value
}
