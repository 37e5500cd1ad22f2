package hook

import (
	"context"

	"github.com/jackc/pgx/v5"

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
	}
}

func notifyNote(
	ctx context.Context, st *db.Store, web string, on note.Target, n note.Note, by tree.User, action string,
) error {
	if on.ProjectID == nil || n.System {
		return nil
	}
	p, i, err := placeOf(ctx, st, on)
	if err != nil {
		return err
	}
	h := ofIssue(p, n.Internal || i.Confidential, "note_events", by)
	return enqueueDeliveries(ctx, st, h, func() ([]any, error) {
		payload, err := newNotePayload(ctx, st, web, p, i, n, action)
		return []any{payload}, err
	})
}

// placeOf returns the project of a target, and the issue that it is, the zero value for others.
func placeOf(ctx context.Context, st *db.Store, on note.Target) (p tree.Project, i work.Issue, err error) {
	if p, err = tree.FindProject(ctx, st, *on.ProjectID); err != nil || on.Kind != note.Issue {
		return p, i, err
	}
	issues, err := work.IssuesByID(ctx, st, []int64{on.ID})
	return p, issues[on.ID], err
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
	p, i, err := placeOf(ctx, st, note.Target{
		Container: at.project.Container(), Kind: n.TargetIDs.Kind(), ID: idOf(n.IssueID),
	})
	if err != nil {
		return nil, err
	}
	return newNotePayload(ctx, st, at.web, p, i, n, "create")
}

// newestNote returns the newest note of a project that a person wrote and that is not confidential.
func newestNote(ctx context.Context, st *db.Store, projectID int64) (note.Note, error) {
	return db.One[note.Note](ctx, st, "Note", `
		select t.*, null::jsonb as author, null::jsonb as resolved_by from notes t
		where t.project_id = @project and not t.system and not t.internal
			and not exists (select from issues i where i.id = t.issue_id and i.confidential)
		order by t.id desc limit 1`, pgx.NamedArgs{"project": projectID})
}
