package activity

import (
	"context"
	"time"

	"hew/server/code"
	"hew/server/db"
	"hew/server/event"
	"hew/server/git/object"
	"hew/server/group"
	"hew/server/jobs"
	"hew/server/merge"
	"hew/server/note"
	"hew/server/project"
	"hew/server/snippet"
	"hew/server/wiki"
	"hew/server/work"
)

// Listeners are what writes events.
var Listeners = []event.Listener{
	event.On(func(ctx context.Context, st *db.Store, e project.Created) error {
		return add(ctx, st, Event{Container: e.Project.Container(), AuthorID: e.Creator.ID, Action: Created})
	}),
	event.On(onMembers),
	event.On(onIssue),
	event.On(onRequest),
	event.On(onMilestone),
	event.On(onMilestoneDeletion),
	event.On(onNote),
	event.On(onPush),
	event.On(onPage),
	event.On(onSnippet),
}

// Jobs are the jobs of events.
var Jobs = []jobs.Kind{jobs.On(sweep).Each(time.Hour)}

// onMembers writes who joined or left a project. Memberships of groups are not shown.
func onMembers(ctx context.Context, st *db.Store, e group.MembersChanged) error {
	action, ok := map[string]Action{group.MemberAdded: Joined, group.MemberRemoved: Left}[e.What]
	if !ok {
		return nil
	}
	for _, m := range e.Members {
		if m.ProjectID == nil || m.Bot {
			continue
		}
		in := db.Container{ProjectID: m.ProjectID}
		if err := add(ctx, st, Event{Container: in, AuthorID: m.UserID, Action: action}); err != nil {
			return err
		}
	}
	return nil
}

// actions are those of issues and milestones that are shown.
var actions = map[work.Action]Action{work.Opening: Created, work.Closing: Closed, work.Reopening: Reopened}

func onIssue(ctx context.Context, st *db.Store, e work.IssueChanged) error {
	action, ok := actions[e.Action]
	if !ok {
		return nil
	}
	return add(ctx, st, Event{
		Container: e.Project.Container(), AuthorID: e.By.ID, Action: action, TargetType: new(issueType),
		TargetID: &e.Issue.ID, TargetIID: &e.Issue.IID, IssueID: &e.Issue.ID,
	})
}

// requestActions are the actions of merge requests that are shown.
var requestActions = map[merge.Action]Action{
	merge.Opening: Created, merge.Closing: Closed, merge.Reopening: Reopened, merge.Merging: Merged,
	merge.Approving: Approved, merge.Approved: Approved,
}

func onRequest(ctx context.Context, st *db.Store, e merge.Changed) error {
	action, ok := requestActions[e.Action]
	if !ok {
		return nil
	}
	return add(ctx, st, Event{
		Container: e.Project.Container(), AuthorID: e.By.ID, Action: action, TargetType: new(requestType),
		TargetID: &e.Request.ID, TargetIID: &e.Request.IID, RequestID: &e.Request.ID,
	})
}

func onMilestone(ctx context.Context, st *db.Store, e work.MilestoneChanged) error {
	action, ok := actions[e.Action]
	if !ok {
		return nil
	}
	row := aboutMilestone(e.Milestone, e.By.ID, action)
	row.MilestoneID = &e.Milestone.ID
	return add(ctx, st, row)
}

func onMilestoneDeletion(ctx context.Context, st *db.Store, e work.MilestoneDeleted) error {
	return add(ctx, st, aboutMilestone(e.Milestone, e.By.ID, Destroyed))
}

func aboutMilestone(m work.Milestone, by int64, action Action) Event {
	return Event{
		Container: m.Container, AuthorID: by, Action: action, TargetType: new(milestoneType), TargetID: &m.ID,
		TargetIID: &m.IID,
	}
}

// onSnippet writes who made or changed a snippet of a project; personal ones are not shown.
func onSnippet(ctx context.Context, st *db.Store, e snippet.Changed) error {
	if e.Snippet.ProjectID == nil {
		return nil
	}
	action := Updated
	if e.New {
		action = Created
	}
	return add(ctx, st, Event{
		Container: db.Container{ProjectID: e.Snippet.ProjectID}, AuthorID: e.By.ID, Action: action,
		TargetType: new(snippetType), TargetID: &e.Snippet.ID, SnippetID: &e.Snippet.ID,
	})
}

// onNote writes who commented on an issue, a merge request, a snippet or a commit; notes on epics
// are not shown.
func onNote(ctx context.Context, st *db.Store, e note.Created) error {
	if e.Target.ProjectID == nil || e.Note.System {
		return nil
	}
	kind := noteType
	if e.Note.Type != nil {
		kind = *e.Note.Type
	}
	row := Event{
		Container: e.Target.Container, AuthorID: e.By.ID, Action: Commented, TargetType: &kind, TargetID: &e.Note.ID,
		TargetIID: new(int(e.Note.ID)), NoteID: &e.Note.ID, IssueID: e.Target.IDs().IssueID,
		RequestID: e.Target.IDs().MergeRequestID, SnippetID: e.Note.SnippetID,
	}
	if e.Target.Kind == note.Commit {
		name := code.CommitName{ProjectID: *e.Target.ProjectID, ID: object.ID(e.Target.OID)}
		commits, err := code.CommitsNamed(ctx, st, []code.CommitName{name})
		if err != nil {
			return err
		}
		if c, ok := commits[name]; ok {
			row.Title = new(c.Title())
		}
	}
	return add(ctx, st, row)
}

// pageActions are the actions of pages by those of wiki.PageChanged.
var pageActions = map[string]Action{"create": Created, "update": Updated, "delete": Destroyed}

func onPage(ctx context.Context, st *db.Store, e wiki.PageChanged) error {
	if e.By.User.ID == 0 {
		return nil
	}
	return add(ctx, st, Event{
		Container: e.At.Container, AuthorID: e.By.User.ID, Action: pageActions[e.Action], TargetType: new(pageType),
		TargetID: e.Page.MetaID, Title: &e.Page.Title,
		Page: &Page{string(e.Page.Format), e.Page.Slug, e.Page.Title, e.Page.MetaID},
	})
}
