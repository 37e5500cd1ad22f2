package note

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// AboutIDs are the columns by which a system note says which other object it tells of. Readers who
// do not see that do not see the note. All are nil if it tells of its target alone.
type AboutIDs struct {
	AboutIssueID        *int64 `db:"about_issue_id"`
	AboutEpicID         *int64 `db:"about_epic_id"`
	AboutMergeRequestID *int64 `db:"about_merge_request_id"`
	AboutProjectID      *int64 `db:"about_project_id"` // whose code has the commit
}

// about returns the columns that refer to an object.
func about(other Target) AboutIDs {
	switch other.Kind {
	case Issue:
		return AboutIDs{AboutIssueID: &other.ID}
	case Epic:
		return AboutIDs{AboutEpicID: &other.ID}
	case MergeRequest:
		return AboutIDs{AboutMergeRequestID: &other.ID}
	}
	return AboutIDs{AboutProjectID: other.ProjectID}
}

// AddSystem notes down what a user changed of a target, one note for each text. Equal targets get
// their notes in the order of the calls.
func AddSystem(ctx context.Context, st *db.Store, on Target, by int64, texts ...string) error {
	for _, text := range texts {
		if err := addSystem(ctx, st, on, AboutIDs{}, by, text); err != nil {
			return err
		}
	}
	return nil
}

// AddSystemAbout notes down on a target what a user did that tells of another object, such as
// "moved to acme/site#2". Only those who see the other object see the note.
func AddSystemAbout(ctx context.Context, st *db.Store, on, other Target, by int64, text string) error {
	return addSystem(ctx, st, on, about(other), by, text)
}

// AddMention notes down on a target that another object mentions it, unless that is noted already.
// The text is "mentioned in issue #1". Transactions that note the same wait for each other.
func AddMention(ctx context.Context, st *db.Store, on, by Target, user int64, text string) error {
	return st.Tx(ctx, func(st *db.Store) error {
		if err := st.Exclusively(ctx, "mentions on "+on.String()); err != nil {
			return err
		}
		ids := about(by)
		w := db.NewWhere(pgx.NamedArgs{
			"about_issue": ids.AboutIssueID, "about_epic": ids.AboutEpicID,
			"about_merge_request": ids.AboutMergeRequestID, "about_project": ids.AboutProjectID,
		})
		on.where(w)
		w.And(`t.system and t.about_issue_id is not distinct from @about_issue::bigint
			and t.about_epic_id is not distinct from @about_epic::bigint
			and t.about_merge_request_id is not distinct from @about_merge_request::bigint
			and t.about_project_id is not distinct from @about_project::bigint`)
		w.And(`t.body = @text or (@by_id::bigint <> 0 and starts_with(t.body, 'mentioned in '))`, text, by.ID)
		known, err := db.Value[bool](ctx, st, `select exists (select from notes t`+w.String()+`)`, w.Args)
		if err != nil || known {
			return err
		}
		return addSystem(ctx, st, on, ids, user, text)
	})
}

// ThreadNote is the text of a system note in a thread.
type ThreadNote struct{ Thread, Text string }

// AddSystemTo notes down in threads of a target what a user did.
func AddSystemTo(ctx context.Context, st *db.Store, on Target, by int64, notes ...ThreadNote) error {
	threads, texts := make([]string, len(notes)), make([]string, len(notes))
	for i, n := range notes {
		threads[i], texts[i] = n.Thread, n.Text
	}
	ids := on.IDs()
	return st.Exec(ctx, `
		insert into notes (namespace_id, project_id, issue_id, epic_id, merge_request_id, commit_oid, discussion_id,
			type, body, author_id, system)
		select @namespace::bigint, @project::bigint, @issue::bigint, @epic::bigint, @request::bigint, @commit::bytea,
			n.thread, 'DiscussionNote', n.body, @by::bigint, true
		from unnest(@threads::text[], @texts::text[]) with ordinality n (thread, body, at) order by n.at`,
		pgx.NamedArgs{
			"namespace": on.NamespaceID, "project": on.ProjectID, "issue": ids.IssueID, "epic": ids.EpicID,
			"request": ids.MergeRequestID, "commit": ids.CommitOID, "by": by, "threads": threads, "texts": texts,
		})
}

func addSystem(ctx context.Context, st *db.Store, on Target, other AboutIDs, by int64, text string) error {
	_, err := st.Insert(ctx, "notes", systemNote{
		Container: on.Container, TargetIDs: on.IDs(), AboutIDs: other, DiscussionID: newDiscussionID(), Body: text,
		AuthorID: by, System: true,
	})
	return err
}

// systemNote holds the columns of a note that hewd writes.
type systemNote struct {
	ID int64 `db:"id,auto"`
	db.Container
	TargetIDs
	AboutIDs
	DiscussionID string `db:"discussion_id"`
	Body         string `db:"body"`
	AuthorID     int64  `db:"author_id"`
	System       bool   `db:"system"`
}
