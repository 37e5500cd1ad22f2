package api

import (
	"context"

	"hew/server/code/api"
	"hew/server/db"
	"hew/server/merge"
	"hew/server/note"
	noteapi "hew/server/note/api"
	"hew/server/quick"
	"hew/server/scope"
	"hew/server/work"
	workapi "hew/server/work/api"
)

// requestCommands are the quick actions that merge requests know.
var requestCommands = quick.For(quick.All, quick.MergeRequest)

// commander returns the caller as who runs quick actions on a merge request of the project.
// Involved says that the caller is its author or an assignee.
func (a requests) commander(s scope.InProject, involved bool) merge.Commander {
	return merge.Commander{
		Actor: work.Actor{
			User: s.Caller.User, Viewer: workapi.ViewerOf(s.Anyone), Base: a.Base, Admin: s.Can(adminRequest),
			Edits: s.Can(editOwnRequest) && involved, Reacts: s.Can(awardEmoji),
		},
		Project: s.Project.Project, By: api.AuthorOf(s), Accepts: s.Can(acceptRequest), Approves: s.Can(approveRequest),
	}
}

// runCommands runs the quick actions of a note. Those of drafts do not publish drafts.
func (a requests) runCommands(ctx context.Context, s InRequest, actions noteapi.Actions) (note.Outcome, error) {
	c := a.commander(s.InProject, s.isInvolved())
	c.Head = actions.Head
	if !s.publishing {
		c.Submit = func(ctx context.Context, st *db.Store) error {
			s.Store = st
			return draftNotes{a}.publishAll(ctx, s)
		}
	}
	r, err := s.reload(ctx)
	if err != nil {
		return note.Outcome{}, err
	}
	return c.Run(ctx, s.Store, r, actions.Calls, actions.NoteID)
}

// commandsOf takes the quick actions out of the description that a request gives, and returns their
// run.
func (in *requestFields) commandsOf(c merge.Commander) *work.CommandRun[merge.Request] {
	return c.NewRun(workapi.CutCommands(&in.Description, requestCommands), 0)
}

// finish does what is left of the quick actions of a description, and returns the view of the merge
// request.
func (a requests) finish(
	ctx context.Context, s scope.InProject, commands *work.CommandRun[merge.Request], r merge.Request,
) (oneView, error) {
	if commands.IsEmpty() {
		return a.one(ctx, s, r)
	}
	err := s.Store.Tx(ctx, func(st *db.Store) error {
		_, err := commands.Finish(ctx, st, r)
		return err
	})
	if err != nil {
		return oneView{}, err
	}
	if r, err = merge.Requests(s.Store, s.Project.ID).One(ctx, db.ByID(r.ID)); err != nil {
		return oneView{}, err
	}
	return a.one(ctx, s, r)
}
