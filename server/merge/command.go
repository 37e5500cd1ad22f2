package merge

import (
	"context"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/note"
	"hew/server/quick"
	"hew/server/tree"
	"hew/server/work"
)

// Commander is who runs quick actions on merge requests of a project, and what they may do there
// beside what a work.Actor says (more §5).
type Commander struct {
	work.Actor
	Project  tree.Project
	By       code.Author // the actor, as who changes the project
	Accepts  bool        // may merge and rebase, as far as the branches allow it
	Approves bool        // may approve, as far as the rules allow it
	Head     string      // the head of the source branch that the actor has seen; "": any
	// Submit publishes the drafts of the actor; nil where that cannot be asked for.
	Submit func(ctx context.Context, st *db.Store) error
}

// run is a run of quick actions on a merge request.
type run = work.CommandRun[Request]

// NewRun returns a run of calls on a merge request. NoteID is that of the note that has them, 0 if
// there is none.
func (c Commander) NewRun(calls []quick.Call, noteID int64) *work.CommandRun[Request] {
	p := c.Project
	return work.NewRun(c.Actor, work.CommandsOn[Request]{
		At: work.Place{Base: c.Base, Path: p.FullPath}, Project: p, Table: c.commands(),
		Readers: Readers,
		Change: func(ctx context.Context, st *db.Store, id int64, edit db.Edit[Request]) (Request, error) {
			return Change(ctx, st, p, c.User, id, edit)
		},
		Spend: func(ctx context.Context, st *db.Store, id int64, s work.Spent) error {
			_, err := SpendTime(ctx, st, p, c.User, id, s)
			return err
		},
		ResetSpent: func(ctx context.Context, st *db.Store, id int64) error {
			_, err := ResetTimeSpent(ctx, st, p, c.User, id)
			return err
		},
	}, calls, noteID)
}

// Run runs calls on a merge request.
func (c Commander) Run(
	ctx context.Context, st *db.Store, r Request, calls []quick.Call, noteID int64,
) (out note.Outcome, err error) {
	commands := c.NewRun(calls, noteID)
	err = st.Tx(ctx, func(st *db.Store) error {
		if err := c.Hold(ctx, st, r, commands); err != nil {
			return err
		}
		out, err = commands.Run(ctx, st, r)
		return err
	})
	return out, err
}

// Hold locks the branches of a merge request if a call merges it: transactions lock branches before
// merge requests. Callers of [work.CommandRun.Edit] hold first.
func (c Commander) Hold(ctx context.Context, st *db.Store, r Request, commands *work.CommandRun[Request]) error {
	if !commands.Calls("merge") || r.SourceProjectID == nil {
		return nil
	}
	source, err := tree.FindProject(ctx, st, *r.SourceProjectID)
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	return code.HoldBranches(ctx, st, code.Landing{
		Project: c.Project, Branch: r.TargetBranch, Source: r.Head,
		From: &code.BranchOf{Project: source, Branch: r.SourceBranch},
	})
}

// CommandParts returns what quick actions change of the merge request.
func (r *Request) CommandParts() work.CommandParts {
	return work.CommandParts{
		Word: "merge request", Title: &r.Title, State: &r.State, LabelIDs: &r.LabelIDs, Locked: &r.DiscussionLocked,
		AssigneeIDs: &r.AssigneeIDs, MilestoneID: &r.MilestoneID, TimeEstimate: &r.TimeEstimate,
		TimeSpent: &r.TimeSpent,
	}
}

// commands says how each quick action of merge requests is run.
func (c Commander) commands() map[string]work.Command[Request] {
	accepts := func(work.Actor) bool { return c.Accepts }
	approves := func(work.Actor) bool { return c.Approves }
	shared := work.SharedCommands[Request]()
	return work.JoinCommands(shared, work.ProjectCommands[Request](), map[string]work.Command[Request]{
		"reopen": {May: work.Editor, Edits: true, Do: reopen(shared["reopen"].Do)},

		"assign_reviewer":   {May: work.Planner, Edits: true, Do: c.assignReviewers},
		"unassign_reviewer": {May: work.Planner, Edits: true, Do: unassignReviewers},
		"reassign_reviewer": {May: work.Planner, Edits: true, Do: reassignReviewers},

		"draft":         {May: work.Editor, Edits: true, Do: setDraft(true)},
		"ready":         {May: work.Editor, Edits: true, Do: setDraft(false)},
		"target_branch": {May: work.Editor, Edits: true, Do: c.setTarget},

		"merge":         {May: accepts, Do: c.merge},
		"rebase":        {May: accepts, Do: c.rebase},
		"approve":       {May: approves, Do: c.approve},
		"unapprove":     {May: approves, Do: c.unapprove},
		"submit_review": {May: work.Anybody, Do: c.submit},
	})
}
