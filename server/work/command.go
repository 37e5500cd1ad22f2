package work

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/note"
	"hew/server/quick"
	"hew/server/tree"
)

// Actor is who runs quick actions on an issue, and what they may do (more §5).
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

// command is how a quick action of issues is run. Do edits the issue, leaves what else is to be
// done to CommandRun.later, and returns what the command says; "" if it does not fit.
type command struct {
	may   right
	edits bool // the issue itself
	do    func(ctx context.Context, st *db.Store, r *CommandRun, i *Issue, argument string) (string, error)
}

// CommandRun runs the quick actions of one text on an issue: Edit in the change of the issue,
// Finish when that is stored.
type CommandRun struct {
	actor   Actor
	project tree.Project
	calls   []quick.Call
	noteID  int64
	outcome note.Outcome
	later   []func(ctx context.Context, st *db.Store, i Issue) error
}

// NewCommandRun returns a run of calls on an issue of a project. NoteID is that of the note that
// has them, 0 if there is none.
func NewCommandRun(p tree.Project, a Actor, calls []quick.Call, noteID int64) *CommandRun {
	return &CommandRun{actor: a, project: p, calls: calls, noteID: noteID,
		outcome: note.Outcome{Changes: map[string]any{}}}
}

// edits reports whether a call changes the issue itself.
func (r *CommandRun) edits() bool {
	for _, c := range r.calls {
		if issueCommands[c.Name].edits {
			return true
		}
	}
	return false
}

// Edit applies the calls to an issue. A call that is not allowed, or does not fit, changes nothing.
func (r *CommandRun) Edit(ctx context.Context, st *db.Store, i *Issue) error {
	for _, c := range r.calls {
		command, known := issueCommands[c.Name]
		said := ""
		if known && command.may(r.actor) {
			var err error
			if said, err = command.do(ctx, st, r, i, c.Argument); err != nil {
				return err
			}
		}
		if said == "" {
			said = fmt.Sprintf("Could not apply %s command.", c.Name)
		}
		r.outcome.Messages = append(r.outcome.Messages, said)
	}
	return nil
}

// Finish does what the calls leave for when the issue is stored, and returns the outcome.
func (r *CommandRun) Finish(ctx context.Context, st *db.Store, i Issue) (note.Outcome, error) {
	for _, do := range r.later {
		if err := do(ctx, st, i); err != nil {
			return r.outcome, err
		}
	}
	return r.outcome, nil
}

// RunCommands runs quick actions on an issue that is stored.
func RunCommands(
	ctx context.Context, st *db.Store, p tree.Project, a Actor, i Issue, calls []quick.Call, noteID int64,
) (out note.Outcome, err error) {
	r := NewCommandRun(p, a, calls, noteID)
	err = st.Tx(ctx, func(st *db.Store) error {
		if r.edits() {
			i, err = ChangeIssue(ctx, st, p, a.User, db.ByID(i.ID), func(st *db.Store, i *Issue) error {
				return r.Edit(ctx, st, i)
			})
		} else {
			err = r.Edit(ctx, st, &i)
		}
		if err != nil {
			return err
		}
		out, err = r.Finish(ctx, st, i)
		return err
	})
	return out, err
}

// afterwards adds what is to be done when the issue is stored. A refusal of it is no error: it
// changes nothing.
func (r *CommandRun) afterwards(do func(ctx context.Context, st *db.Store, i Issue) error) {
	r.later = append(r.later, func(ctx context.Context, st *db.Store, i Issue) error {
		err := st.Savepoint(ctx, func(st *db.Store) error { return do(ctx, st, i) })
		if fault.CodeOf(err) == fault.CodeInternal || fault.CodeOf(err) == fault.CodeUnavailable {
			return err
		}
		return nil
	})
}

// changes keeps a value of commands_changes.
func (r *CommandRun) changes(key string, value any) { r.outcome.Changes[key] = value }
