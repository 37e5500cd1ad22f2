package api

import (
	"context"
	"fmt"

	"hew/server/code"
	"hew/server/db"
	"hew/server/merge"
	"hew/server/note"
	"hew/server/part"
)

// reviewSpecimen writes n notes on lines of a merge request, each with n suggestions, and n drafts.
func reviewSpecimen(
	ctx context.Context, h *db.Store, at part.Place, r merge.Request, path string, n int, values part.Values,
) error {
	g, err := code.Open(ctx, h, at.Project)
	if err != nil {
		return err
	}
	v, _, err := merge.LastVersion(ctx, h, r)
	if err != nil {
		return err
	}
	values["version_id"] = fmt.Sprint(v.ID)
	line := &note.Position{
		BaseSHA: new(v.Base.String()), StartSHA: new(v.Start.String()), HeadSHA: v.Head.String(),
		PositionType: note.TextPosition, OldPath: path, NewPath: path, NewLine: new(1),
	}
	placed, err := merge.PlaceNote(ctx, h, g, r, line, "")
	if err != nil {
		return err
	}
	text := "Better:\n"
	for k := range n {
		text += fmt.Sprintf("```suggestion\n%d\n```\n", k)
	}
	for range n {
		written, err := note.Create(ctx, h, r.Target(), note.New{By: at.Owner, Body: text, Position: placed.Now})
		if err != nil {
			return err
		}
		for _, s := range written.Suggestions {
			values["suggestions/suggestion_id"] = fmt.Sprint(s.ID)
		}
		d := merge.DraftNote{AuthorID: at.Owner.ID, Body: "Draft"}
		if err := d.Place(placed); err != nil {
			return err
		}
		if d, err = merge.CreateDraftNote(ctx, h, r, d); err != nil {
			return err
		}
		values["draft_note_id"] = fmt.Sprint(d.ID)
	}
	return nil
}
