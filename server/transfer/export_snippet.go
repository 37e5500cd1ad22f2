package transfer

import (
	"context"
	"fmt"
	"unicode/utf8"

	"hew/server/fault"
	"hew/server/snippet"
	"hew/server/transfer/archive"
)

// maxSnippetContent is how many bytes of the first file of a snippet its document holds, for
// readers that do not read its bundle.
const maxSnippetContent = 1 << 20

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
		CreatedAt: &s.CreatedAt, UpdatedAt: &s.UpdatedAt, AwardEmoji: []archive.AwardEmoji{}, Notes: []archive.Note{},
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
