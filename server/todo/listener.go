package todo

import (
	"context"

	"hew/server/db"
	"hew/server/event"
	"hew/server/group"
	"hew/server/jobs"
	"hew/server/note"
	"hew/server/tree"
	"hew/server/work"
)

// Listeners are what makes and finishes to-dos.
var Listeners = []event.Listener{
	event.On(onIssue),
	event.On(onEpic),
	event.On(onRequest),
	event.On(onConflicted),
	event.On(onPipeline),
	event.On(onReviewAsked),
	event.On(onTodoAsked),
	event.On(onNote),
	event.On(onNoteChange),
	event.On(func(ctx context.Context, st *db.Store, e note.Awarded) error {
		return finishOn(ctx, st, e.By.ID, e.On.Target, "")
	}),
	event.On(onMembers),
}

// Jobs are the jobs of to-dos.
var Jobs = []jobs.Kind{jobs.On(sweep).Each(sweepInterval).Lasting(sweepInterval)}

// onIssue makes to-dos for new assignees and for those whom the description mentions.
func onIssue(ctx context.Context, st *db.Store, e work.IssueChanged) error {
	if isHandled(e) {
		if err := finishOn(ctx, st, e.By.ID, e.Issue.Target(), ""); err != nil {
			return err
		}
	}
	a := aboutIssue(e.Issue)
	if err := a.add(ctx, st, e.By, Assigned, work.Without(e.Issue.AssigneeIDs, e.Before.AssigneeIDs)); err != nil {
		return err
	}
	return addMentions(ctx, st, a, e.By, db.OrZero(e.Before.Description), db.OrZero(e.Issue.Description))
}

// isHandled reports whether a change of an issue shows that the user has looked at it (more §1).
func isHandled(e work.IssueChanged) bool {
	was, is := e.Before, e.Issue
	switch {
	case e.Action == work.Opening:
		return false
	case e.Action == work.Closing, was.Title != is.Title, db.OrZero(was.Description) != db.OrZero(is.Description):
		return true
	}
	return db.OrZero(was.MilestoneID) != db.OrZero(is.MilestoneID) || differ(was.LabelIDs, is.LabelIDs) ||
		differ(was.AssigneeIDs, is.AssigneeIDs)
}

// onEpic makes to-dos for those whom the description of an epic mentions.
func onEpic(ctx context.Context, st *db.Store, e work.EpicChanged) error {
	was, is := e.Before, e.Epic
	handled := e.Action == work.Closing || was.Title != is.Title || differ(was.LabelIDs, is.LabelIDs) ||
		db.OrZero(was.Description) != db.OrZero(is.Description)
	if handled && e.Action != work.Opening {
		if err := finishOn(ctx, st, e.By.ID, is.Target(), ""); err != nil {
			return err
		}
	}
	a := about{Target: is.Target(), text: db.OrZero(is.Description)}
	return addMentions(ctx, st, a, e.By, db.OrZero(was.Description), a.text)
}

func onTodoAsked(ctx context.Context, st *db.Store, e work.TodoAsked) error {
	if e.Done {
		return finishOn(ctx, st, e.By.ID, e.On, "")
	}
	_, _, err := Mark(ctx, st, e.On, e.By)
	return err
}

// onNote finishes what the writer had to look at: a thread, if the note is in one, or all of the
// target.
func onNote(ctx context.Context, st *db.Store, e note.Created) error {
	if e.Target.Kind == note.Snippet {
		return nil // notes on snippets make no to-dos (more §1)
	}
	thread := ""
	if e.Note.Type != nil {
		thread = e.Note.DiscussionID
	}
	if err := finishOn(ctx, st, e.By.ID, e.Target, thread); err != nil {
		return err
	}
	return addNoteMentions(ctx, st, e.Target, e.Note, e.By, "")
}

func onNoteChange(ctx context.Context, st *db.Store, e note.Changed) error {
	return addNoteMentions(ctx, st, e.Target, e.Note, e.By, e.Before.Body)
}

func addNoteMentions(
	ctx context.Context, st *db.Store, on note.Target, n note.Note, by tree.User, before string,
) error {
	if n.System || n.Body == before || on.Kind == note.Snippet {
		return nil
	}
	a, err := aboutNote(ctx, st, on, n)
	if err != nil {
		return err
	}
	return addMentions(ctx, st, a, by, before, n.Body)
}

// onMembers tells those who decide on requests for access of new ones, until one is answered.
func onMembers(ctx context.Context, st *db.Store, e group.MembersChanged) error {
	for _, m := range e.Members {
		in := db.Container{NamespaceID: m.NamespaceID, ProjectID: m.ProjectID}
		var err error
		switch e.What {
		case group.RequestAdded:
			err = addRequest(ctx, st, in, m.UserID)
		case group.MemberAdded, group.RequestRemoved:
			err = finishRequest(ctx, st, in, m.UserID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// differ reports whether two sets of ids differ.
func differ(a, b []int64) bool { return len(work.Without(a, b))+len(work.Without(b, a)) > 0 }
