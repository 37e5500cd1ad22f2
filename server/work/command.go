package work

import (
	"context"
	"errors"
	"fmt"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/markdown"
	"hew/server/note"
	"hew/server/quick"
	"hew/server/tree"
)

// Actor is who runs quick actions on an issue or epic, and what they may do (more §5).
type Actor struct {
	User   tree.User
	Viewer Viewer
	Base   string // the address of the server
	Admin  bool   // may change labels, assignees, dates and links
	Edits  bool   // may change the text and the state
	Reacts bool   // may react
}

// right says who may run a command.
type right func(Actor) bool

func anybody(a Actor) bool { return a.User.ID != 0 }
func editor(a Actor) bool  { return a.Admin || a.Edits }
func planner(a Actor) bool { return a.Admin }
func reactor(a Actor) bool { return a.Reacts }

// Commanded are the things that quick actions are run on.
type Commanded interface {
	Issue | Epic
	Linkable
}

// doer is the function of a command. It edits the thing, leaves what else is to be done to
// CommandRun.afterwards, and returns what the command says; "" if it does not fit.
type doer[T Commanded] = func(
	ctx context.Context, st *db.Store, r *CommandRun[T], t *T, argument string,
) (string, error)

// command is how a quick action is run.
type command[T Commanded] struct {
	may   right
	edits bool // the thing itself
	do    doer[T]
}

// failed is what a command says that could not be run.
type failed string

func (f failed) Error() string { return string(f) }

// CommandRun runs the quick actions of one text on an issue or epic: Edit in the change of the
// thing, Finish when that is stored. Run does both.
type CommandRun[T Commanded] struct {
	actor   Actor
	at      Place        // where the text stands
	project tree.Project // of an issue
	group   tree.Group   // of an epic
	calls   []quick.Call
	noteID  int64
	outcome note.Outcome
	later   []func(ctx context.Context, st *db.Store, t T) error

	table map[string]command[T]
	// find returns the things that an argument names and the actor sees.
	find func(ctx context.Context, st *db.Store, argument string) ([]T, error)
	// change edits the thing with an id.
	change func(ctx context.Context, st *db.Store, id int64, edit db.Edit[T]) (T, error)
}

type issueRun = CommandRun[Issue]

// NewIssueRun returns a run of calls on an issue of a project. NoteID is that of the note that
// has them, 0 if there is none.
func NewIssueRun(p tree.Project, a Actor, calls []quick.Call, noteID int64) *CommandRun[Issue] {
	r := &CommandRun[Issue]{
		actor: a, at: Place{Base: a.Base, Path: p.FullPath}, project: p, calls: calls, noteID: noteID,
		table: issueCommands,
	}
	r.find = func(ctx context.Context, st *db.Store, argument string) ([]Issue, error) {
		return a.Viewer.ReferredIssues(ctx, st, r.at, markdown.References(argument))
	}
	r.change = func(ctx context.Context, st *db.Store, id int64, edit db.Edit[Issue]) (Issue, error) {
		return ChangeIssue(ctx, st, p, a.User, db.ByID(id), edit)
	}
	return r
}

// NewEpicRun is NewIssueRun for an epic of a group.
func NewEpicRun(g tree.Group, a Actor, calls []quick.Call, noteID int64) *CommandRun[Epic] {
	r := &CommandRun[Epic]{
		actor: a, at: Place{Base: a.Base, Path: g.FullPath, Group: true}, group: g, calls: calls, noteID: noteID,
		table: epicCommands,
	}
	r.find = func(ctx context.Context, st *db.Store, argument string) ([]Epic, error) {
		return a.Viewer.ReferredEpics(ctx, st, r.at, markdown.References(argument))
	}
	r.change = func(ctx context.Context, st *db.Store, id int64, edit db.Edit[Epic]) (Epic, error) {
		return ChangeEpic(ctx, st, g, a.User, db.ByID(id), edit)
	}
	return r
}

// edits reports whether a call may change the thing itself.
func (r *CommandRun[T]) edits() bool {
	for _, c := range r.calls {
		if command := r.table[c.Name]; command.edits && command.may(r.actor) {
			return true
		}
	}
	return false
}

// Edit applies the calls to the thing. A call that is not allowed, or does not fit, changes
// nothing.
func (r *CommandRun[T]) Edit(ctx context.Context, st *db.Store, t *T) error {
	for _, c := range r.calls {
		command, known := r.table[c.Name]
		said := ""
		if known && command.may(r.actor) {
			var err error
			said, err = command.do(ctx, st, r, t, c.Argument)
			if why, ok := errors.AsType[failed](err); ok {
				r.outcome.Failed(string(why))
				continue
			}
			if err != nil {
				return err
			}
		}
		if said == "" {
			r.outcome.Failed(fmt.Sprintf("Could not apply %s command.", c.Name))
			continue
		}
		r.outcome.Applied(said)
	}
	return nil
}

// Finish does what the calls leave for when the thing is stored, and returns the outcome.
func (r *CommandRun[T]) Finish(ctx context.Context, st *db.Store, t T) (note.Outcome, error) {
	for _, do := range r.later {
		if err := do(ctx, st, t); err != nil {
			return r.outcome, err
		}
	}
	return r.outcome, nil
}

// Run runs the quick actions on a thing that is stored.
func (r *CommandRun[T]) Run(ctx context.Context, st *db.Store, t T) (out note.Outcome, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if r.edits() {
			t, err = r.change(ctx, st, t.Target().ID, func(st *db.Store, t *T) error { return r.Edit(ctx, st, t) })
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

// afterwards adds what is to be done when the thing is stored. A refusal of it is no error: it
// changes nothing.
func (r *CommandRun[T]) afterwards(do func(ctx context.Context, st *db.Store, t T) error) {
	r.later = append(r.later, func(ctx context.Context, st *db.Store, t T) error {
		err := st.Savepoint(ctx, func(st *db.Store) error { return do(ctx, st, t) })
		if fault.CodeOf(err) == fault.CodeInternal || fault.CodeOf(err) == fault.CodeUnavailable {
			return err
		}
		return nil
	})
}

// changes keeps a value of commands_changes.
func (r *CommandRun[T]) changes(key string, value any) {
	if r.outcome.Changes == nil {
		r.outcome.Changes = map[string]any{}
	}
	r.outcome.Changes[key] = value
}
