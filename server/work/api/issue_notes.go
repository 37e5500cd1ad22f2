package api

import (
	"context"

	"hew/server/db"
	"hew/server/note"
	noteapi "hew/server/note/api"
	"hew/server/policy"
	"hew/server/quick"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
	"hew/server/work"
)

// issueCommands are the quick actions that issues know.
var issueCommands = quick.For(quick.All, quick.Issue)

// noteRoutes serves the notes of issues, their discussions, and reactions to both (more §2, §3).
func (a issues) noteRoutes() []rest.Route {
	m := noteapi.Mount[InIssue]{
		Site: a.Site, Path: "/projects/{id}/issues/{issue_iid}",
		Read: ForIssue(policy.ReadIssue), Write: ForIssue(createNote), Award: ForIssue(awardEmoji),
		On: InIssue.notes, Commands: issueCommands, Run: a.runCommands,
	}
	return append(append(m.Notes(), m.Discussions()...), append(m.Awards(), m.NoteAwards()...)...)
}

// notes returns what the scope means for the notes of the issue.
func (s InIssue) notes() noteapi.On {
	who := s.Who()
	member := who.Admin || who.Level >= policy.Guest
	locked := s.Issue.DiscussionLocked != nil && *s.Issue.DiscussionLocked
	return noteapi.On{
		Anyone: s.Anyone, Target: s.Issue.Target(),
		Reader: note.Reader{
			Internal: who.Admin || who.Level >= policy.Planner, Sees: ViewerOf(s.Anyone).SeesAbout,
		},
		Moderates: s.Can(adminNote), Dates: s.Can(deleteIssue), Locked: locked && !member,
	}
}

// actor returns the caller as who runs quick actions on an issue of the project. Involved says that
// the caller is its author or an assignee.
func actor(site *view.Site, s scope.InProject, involved bool) work.Actor {
	return work.Actor{
		User: s.Caller.User, Viewer: ViewerOf(s.Anyone), Base: site.Base, Admin: s.Can(adminIssue),
		Edits: s.Can(editOwnIssue) && involved, Reacts: s.Can(awardEmoji),
	}
}

// runCommands runs the quick actions of a note.
func (a issues) runCommands(
	ctx context.Context, s InIssue, actions noteapi.Actions,
) (note.Outcome, error) {
	by := actor(a.Site, s.InProject, s.isInvolved())
	return work.NewIssueRun(s.Project.Project, by, actions.Calls, actions.NoteID).Run(ctx, s.Store, s.Issue)
}

// commandsOf takes the quick actions out of the description that a request gives, and returns their
// run.
func (in *issueFields) commandsOf(site *view.Site, s scope.InProject, involved bool) *work.CommandRun[work.Issue] {
	calls := CutCommands(&in.Description, issueCommands)
	return work.NewIssueRun(s.Project.Project, actor(site, s, involved), calls, 0)
}

// CutCommands takes the quick actions out of a description that is given, and returns them.
func CutCommands(description *rest.Opt[*string], table []quick.Command) []quick.Call {
	text, ok := description.Value()
	if !ok || text == nil {
		return nil
	}
	left, calls := quick.Parse(*text, table)
	if len(calls) > 0 {
		*description = rest.Some(&left)
	}
	return calls
}

// finish does what is left of the quick actions of a description, and returns the view of the
// issue.
func (a issues) finish(
	ctx context.Context, s scope.InProject, commands *work.CommandRun[work.Issue], i work.Issue,
) (issueView, error) {
	if _, err := commands.Finish(ctx, s.Store, i); err != nil {
		return issueView{}, err
	}
	i, err := work.Issues(s.Store, s.Project.ID).One(ctx, db.ByID(i.ID))
	if err != nil {
		return issueView{}, err
	}
	return a.one(ctx, s, i)
}
