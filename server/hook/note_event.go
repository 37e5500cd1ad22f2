package hook

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/note"
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
		event.On(func(ctx context.Context, st *db.Store, e code.Commented) error {
			if e.Comment.AuthorID == nil {
				return nil
			}
			h := ofIssue(e.Project, false, "note_events", tree.User{ID: *e.Comment.AuthorID})
			return enqueueDeliveries(ctx, st, h, func() ([]any, error) {
				return []any{newCommentPayload(web, e)}, nil
			})
		}),
	}
}

func notifyNote(
	ctx context.Context, st *db.Store, web string, on note.Target, n note.Note, by tree.User, action string,
) error {
	if on.ProjectID == nil || n.System {
		return nil
	}
	p, err := tree.FindProject(ctx, st, *on.ProjectID)
	if err != nil {
		return err
	}
	issues, err := work.IssuesByID(ctx, st, appendID(nil, on.IDs().IssueID))
	if err != nil {
		return err
	}
	i := issues[on.ID]
	h := ofIssue(p, n.Internal || i.Confidential, "note_events", by)
	return enqueueDeliveries(ctx, st, h, func() ([]any, error) {
		payload, err := newNotePayload(ctx, st, web, p, i, n, action)
		return []any{payload}, err
	})
}

func appendID(ids []int64, id *int64) []int64 {
	if id == nil {
		return ids
	}
	return append(ids, *id)
}

// sampleNote returns an event of the newest note of the project that is not confidential.
func sampleNote(ctx context.Context, st *db.Store, at sampleScope) (any, error) {
	if err := at.needProject(); err != nil {
		return nil, err
	}
	n, err := db.One[note.Note](ctx, st, "Note", `
		select t.*, null::jsonb as author, null::jsonb as resolved_by from notes t
		where t.project_id = @project and not t.system and not t.internal
			and not exists (select from issues i where i.id = t.issue_id and i.confidential) order by t.id desc limit 1`,
		pgx.NamedArgs{"project": at.project.ID})
	switch {
	case fault.CodeOf(err) == fault.CodeNotFound:
		return sampleMissing("notes")(ctx, st, at)
	case err != nil:
		return nil, err
	}
	issues, err := work.IssuesByID(ctx, st, appendID(nil, n.IssueID))
	if err != nil {
		return nil, err
	}
	var i work.Issue
	if n.IssueID != nil {
		i = issues[*n.IssueID]
	}
	return newNotePayload(ctx, st, at.web, at.project, i, n, "create")
}
