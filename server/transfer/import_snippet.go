package transfer

import (
	"cmp"
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/snippet"
	"hew/server/transfer/archive"
	"hew/server/transfer/load"
)

// snippetFiles is the checkpoint of the snippets whose files are stored. Their rows are documents
// like others; the files follow one snippet after the other, since each has a repository.
const snippetFiles = "files of snippets"

// snippets stores the files of the snippets.
func (i importer) snippets(ctx context.Context, l *load.Loader, a *archive.Archive) error {
	r, _ := archive.FindRelation("snippets")
	for d, err := range load.Lines(a, r) {
		if err != nil {
			return err
		}
		s, ok := d.Value.(*archive.Snippet)
		if d.Line < l.Done(snippetFiles) || d.Err != nil || !ok {
			continue
		}
		if err := i.snippet(ctx, l, a, d.Line, s); err != nil {
			return err
		}
	}
	return nil
}

// snippet stores the files of a snippet: those of its bundle or, if that is missing or cannot be
// stored, the one of its document. A snippet without files is a failure, and does not stay.
func (i importer) snippet(
	ctx context.Context, l *load.Loader, a *archive.Archive, line int, s *archive.Snippet,
) error {
	id, err := snippet.Unfilled(ctx, i.st, i.task.ProjectID, load.Storable(s.Title))
	if err != nil {
		return fault.IgnoreNotFound(err) // the document was a failure
	}
	end := func(ctx context.Context, st *db.Store) error {
		if err := snippet.Filled(ctx, st, id, s.UpdatedAt); err != nil {
			return err
		}
		return l.Mark(ctx, st, snippetFiles, line+1)
	}
	if file, ok := a.Bundle(archive.SnippetBundle(s.BundleHex())); ok {
		b := code.NewBundle{At: code.SnippetPlace(id), End: end}
		if err := storeBundle(ctx, i.st, file, b); err == nil || !isRefused(err) {
			return err
		}
	}
	err = i.st.Tx(ctx, func(st *db.Store) error {
		u := l.Importer
		who := policy.Who{ID: u.ID, Admin: u.Admin, External: u.External}
		by := code.Author{Pusher: protect.Pusher{Who: who}, User: u, Web: true}
		create := code.Action{Do: "create", Path: cmp.Or(s.FileName, snippet.DefaultName), Content: &s.Content}
		if err := snippet.Fill(ctx, st, id, by, create); err != nil {
			return err
		}
		return end(ctx, st)
	})
	if err == nil || !isRefused(err) {
		return err
	}
	return l.Fail(ctx, snippetFiles, line, err, func(st *db.Store) error {
		return st.Exec(ctx, `delete from snippets where id = @id`, pgx.NamedArgs{"id": id})
	})
}

// isRefused reports whether an error says what is wrong with a file of an archive.
func isRefused(err error) bool {
	code := fault.CodeOf(err)
	return code == fault.CodeInvalid || code == fault.CodeConflict || code == fault.CodeTooLarge
}
