package todo

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/note"
	"hew/server/tree"
)

// ofTarget adds the condition that a to-do d is about a target, or a note on it.
func ofTarget(w *db.Where, on note.Target) {
	switch on.Kind {
	case note.Issue:
		w.And(`d.issue_id = @target`, on.ID)
	case note.Epic:
		w.And(`d.epic_id = @target`, on.ID)
	case note.MergeRequest:
		w.And(`d.merge_request_id = @target`, on.ID)
	default:
		w.And(`d.project_id = @target_project`, on.ProjectID)
		w.And(`d.commit_oid = @target`, on.OID)
	}
}

// finishOn marks the pending to-dos that a user has of a target as done; with a thread only those
// of its notes.
func finishOn(ctx context.Context, st *db.Store, userID int64, on note.Target, thread string) error {
	w := db.NewWhere(nil)
	ofTarget(w, on)
	w.And(`d.user_id = @user`, userID)
	w.And(`d.state = 'pending'`)
	w.AndIf(thread != "", `d.note_id in (select o.id from notes o where o.discussion_id = @thread)`, thread)
	return st.Exec(ctx, `update todos d set state = 'done', updated_at = now()`+w.String(), w.Args)
}

// Mark makes a to-do of the user's own, and reports whether it did: not if one of the target is
// pending (spec 2 §4.1).
func Mark(ctx context.Context, st *db.Store, on note.Target, by tree.User) (t Todo, made bool, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		w := db.NewWhere(pgx.NamedArgs{"user": by.ID})
		ofTarget(w, on)
		w.And(`d.user_id = @user and d.state = 'pending'`)
		exists, err := db.Value[bool](ctx, st, `select exists (select from todos d`+w.String()+`)`, w.Args)
		if err != nil || exists {
			return err
		}
		ids := on.IDs()
		n, err := st.Affected(ctx, `
			insert into todos (user_id, author_id, namespace_id, project_id, action, issue_id, epic_id, merge_request_id,
				commit_oid)
			values (@user, @user, @namespace, @container, 'marked', @issue, @epic, @request, @commit) on conflict do nothing`,
			pgx.NamedArgs{
				"user": by.ID, "namespace": on.NamespaceID, "container": on.ProjectID, "issue": ids.IssueID,
				"epic": ids.EpicID, "request": ids.MergeRequestID, "commit": ids.CommitOID,
			})
		if err != nil || n == 0 { // another request was faster
			return err
		}
		made = true
		w.And(`d.action = 'marked'`)
		t, err = db.One[Todo](ctx, st, "", selectTodos+w.String(), w.Args)
		return err
	})
	return t, made, err
}
