package snippet

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
)

// Unfilled returns the id of the oldest snippet of a project that has this title and no files yet,
// as imports leave them, or a not-found fault.
func Unfilled(ctx context.Context, st *db.Store, projectID int64, title string) (int64, error) {
	ids, err := db.Values[int64](ctx, st, `
		select id from snippets where project_id = @project and title = @title and files = '{}' order by id limit 1`,
		pgx.NamedArgs{"project": projectID, "title": title})
	if err == nil && len(ids) == 0 {
		err = fault.NotFound("Snippet")
	}
	if err != nil {
		return 0, err
	}
	return ids[0], nil
}

// Fill gives a snippet without files its first ones. All actions create a file.
func Fill(ctx context.Context, st *db.Store, id int64, by code.Author, files ...code.Action) error {
	return Snippet{ID: id}.commit(ctx, st, by, "Initial commit", Plain(files))
}

// Filled ends the import of a snippet, in the transaction that stores its files: it was last
// changed when the source says. A snippet without files is a bad request.
func Filled(ctx context.Context, st *db.Store, id int64, updated *time.Time) error {
	n, err := st.Affected(ctx, `
		update snippets set updated_at = coalesce(@at::timestamptz, updated_at) where id = @id and files <> '{}'`,
		pgx.NamedArgs{"id": id, "at": updated})
	if err == nil && n == 0 {
		err = fault.BadRequest("the snippet has no files")
	}
	return err
}
