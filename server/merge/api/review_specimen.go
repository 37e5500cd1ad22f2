package api

import (
	"context"
	"fmt"
	"slices"

	"hew/server/code"
	"hew/server/db"
	"hew/server/merge"
	"hew/server/note"
	"hew/server/part"
	"hew/server/work"
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

// blocksSpecimen has a merge request wait for n others of the project, and n others wait for it.
func blocksSpecimen(ctx context.Context, h *db.Store, r merge.Request, n int, values part.Values) error {
	list, _, err := merge.List(ctx, h,
		merge.Filter{Viewer: work.Viewer{All: true}, In: r.Target().Container}, db.Page{Limit: 2*n + 1})
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(other merge.Request) bool { return other.ID == r.ID })
	for k := range n {
		b, err := merge.StoreBlock(ctx, h, r, list[k].ID)
		if err != nil {
			return err
		}
		values["block_id"] = fmt.Sprint(b.ID)
		if _, err := merge.StoreBlock(ctx, h, list[n+k], r.ID); err != nil {
			return err
		}
	}
	return nil
}
