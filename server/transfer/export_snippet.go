package transfer

import (
	"context"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/snippet"
	"hew/server/transfer/archive"
)

// maxSnippetContent is how many bytes of the first file of a snippet its document holds, for
// readers that do not read its bundle.
const maxSnippetContent = 1 << 20

// snippetTalk are the columns of what people say of a snippet.
var snippetTalk = notesOf("snippet_id", "Snippet") + ` as notes, ` + awardEmoji("snippet_id", "t.id") + ` as award_emoji`

// snippets writes the snippets of the project: a document and a bundle for each. They are read one
// after the other, because each has a repository of its own.
func (w exportWriter) snippets(ctx context.Context, to *archive.Writer) error {
	out, err := to.Relation("snippets")
	if err != nil {
		return err
	}
	defer out.Discard()
	for after := int64(0); ; {
		page, err := snippet.AllInProject(ctx, w.Store, w.project.ID, after, documentPage)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			return out.Close()
		}
		for _, s := range page {
			if err := w.snippet(ctx, to, out, s); err != nil {
				return fmt.Errorf("snippet %d: %w", s.ID, err)
			}
			after = s.ID
		}
	}
}

func (w exportWriter) snippet(
	ctx context.Context, to *archive.Writer, out *archive.RelationWriter, s snippet.Snippet,
) error {
	d := archive.Snippet{
		Title: s.Title, Description: s.Description, VisibilityLevel: int(s.Visibility), AuthorID: s.AuthorID,
		CreatedAt: &s.CreatedAt, UpdatedAt: &s.UpdatedAt,
	}
	talk, err := db.Value[string](ctx, w.Store, `select `+jsonObject(snippetTalk)+`::text from snippets t where t.id = @id`,
		pgx.NamedArgs{"id": s.ID})
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(talk), &d); err != nil {
		return err
	}
	f, err := s.First(ctx, w.Store)
	switch {
	case err == nil:
		d.FileName = f.Path
		if len(f.Data) <= maxSnippetContent && utf8.Valid(f.Data) {
			d.Content = string(f.Data)
		}
	case fault.CodeOf(err) == fault.CodeNotFound: // it has no file
		err = nil
	}
	if err != nil {
		return err
	}
	if err := w.bundle(ctx, to, archive.SnippetBundle(d.BundleHex()), s.Place()); err != nil {
		return err
	}
	return out.Write(d)
}
