package hook

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/merge"
	"hew/server/note"
	"hew/server/snippet"
	"hew/server/tree"
	"hew/server/work"
)

// noteListeners send notes to the hooks of their projects and of the groups above; those on epics
// are sent to none. Pages are at the address web.
func noteListeners(web string) []event.Listener {
	return []event.Listener{
		event.On(func(ctx context.Context, st *db.Store, e note.Created) error {
			return notifyNote(ctx, st, web, e.Target, e.Note, e.By, "create")
		}),
		event.On(func(ctx context.Context, st *db.Store, e note.Changed) error {
			return notifyNote(ctx, st, web, e.Target, e.Note, e.By, "update")
		}),
	}
}

func notifyNote(
	ctx context.Context, st *db.Store, web string, on note.Target, n note.Note, by tree.User, action string,
) error {
	if on.ProjectID == nil || n.System {
		return nil
	}
	at, err := noteableOf(ctx, st, on)
	if err != nil {
		return err
	}
	h := ofIssue(at.project, n.Internal || at.issue.Confidential, "note_events", by)
	return enqueueDeliveries(ctx, st, h, func() ([]any, error) {
		payload, err := newNotePayload(ctx, st, web, at, n, action)
		return []any{payload}, err
	})
}

// noteable is what notes and reactions of a project are on: an issue, a merge request, a snippet
// or, if all of them are zero, a commit.
type noteable struct {
	project tree.Project
	issue   work.Issue
	request merge.Request
	snippet snippet.Snippet
}

// page returns the address of what it is, if that is no commit.
func (on noteable) page(web string) string {
	if on.request.ID != 0 {
		return fmt.Sprintf("%s/%s/-/merge_requests/%d", web, on.project.FullPath, on.request.IID)
	}
	if on.snippet.ID != 0 {
		return fmt.Sprintf("%s/%s/-/snippets/%d", web, on.project.FullPath, on.snippet.ID)
	}
	return fmt.Sprintf("%s/%s/-/issues/%d", web, on.project.FullPath, on.issue.IID)
}

// noteableOf returns what a target in a project is.
func noteableOf(ctx context.Context, st *db.Store, on note.Target) (n noteable, err error) {
	if n.project, err = tree.FindProject(ctx, st, *on.ProjectID); err != nil {
		return n, err
	}
	switch on.Kind {
	case note.Issue:
		issues, err := work.IssuesByID(ctx, st, []int64{on.ID})
		n.issue = issues[on.ID]
		return n, err
	case note.MergeRequest:
		requests, err := merge.RequestsByID(ctx, st, []int64{on.ID})
		n.request = requests[on.ID]
		return n, err
	case note.Snippet:
		n.snippet, err = snippet.Find(ctx, st, on.ID)
	}
	return n, err
}

// sampleNote returns an event of the newest note of the project that is not confidential.
func sampleNote(ctx context.Context, st *db.Store, at sampleScope) (any, error) {
	if err := at.needProject(); err != nil {
		return nil, err
	}
	n, err := newestNote(ctx, st, at.project.ID)
	switch {
	case fault.CodeOf(err) == fault.CodeNotFound:
		return sampleMissing("notes")(ctx, st, at)
	case err != nil:
		return nil, err
	}
	on, err := noteableOf(ctx, st, targetOf(at.project, n))
	if err != nil {
		return nil, err
	}
	return newNotePayload(ctx, st, at.web, on, n, "create")
}

// targetOf returns what a note of a project is on.
func targetOf(p tree.Project, n note.Note) note.Target {
	id := db.OrZero(n.IssueID) + db.OrZero(n.MergeRequestID) // one of them
	return note.Target{Container: p.Container(), Kind: n.Kind(), ID: id, OID: n.CommitOID}
}

// newestNote returns the newest note of a project that a person wrote and that is not confidential,
// nor on a snippet, which may be private.
func newestNote(ctx context.Context, st *db.Store, projectID int64) (note.Note, error) {
	return db.One[note.Note](ctx, st, "Note", `
		select t.*, null::jsonb as author, null::jsonb as resolved_by from notes t
		where t.project_id = @project and not t.system and not t.internal and t.snippet_id is null
			and not exists (select from issues i where i.id = t.issue_id and i.confidential)
		order by t.id desc limit 1`, pgx.NamedArgs{"project": projectID})
}
