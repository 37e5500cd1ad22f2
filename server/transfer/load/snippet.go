package load

import (
	"context"

	"hew/server/note"
	"hew/server/setting"
	"hew/server/transfer/archive"
)

// storeSnippets stores snippets without their files, which are in repositories.
func storeSnippets(ctx context.Context, b *batch, documents []Document) error {
	settings, err := setting.Read(ctx, b.st)
	if err != nil {
		return err
	}
	notes := 0
	for _, d := range documents {
		if s, ok := d.Value.(*archive.Snippet); ok {
			notes += len(s.Notes)
		}
	}
	if err := b.reserve(ctx, "snippets", len(documents)); err != nil {
		return err
	}
	if err := b.reserve(ctx, "notes", notes); err != nil {
		return err
	}
	return each(b, documents, func(d Document, s *archive.Snippet) error {
		if err := checkTitle("title", s.Title); err != nil {
			return err
		}
		visibility := b.allowed(visibilityOf(s.VisibilityLevel), settings)
		t := target{
			document: d, kind: string(note.Snippet), column: "snippet_id", id: b.take("snippets"),
		}
		created, updated := span(s.CreatedAt, s.UpdatedAt)
		b.add("snippets", row{
			"id": t.id, "project_id": b.project.ID, "author_id": b.author(s.AuthorID), "title": s.Title,
			"description": quoted(s.Description), "visibility": int(min(visibility, b.project.Visibility)),
			"created_at": created, "updated_at": updated, "files": []string{}, "imported_from": "none",
		})
		b.addNotes(t, s.Notes)
		b.addEmoji(t.column, t.id, s.AwardEmoji)
		return nil
	})
}
