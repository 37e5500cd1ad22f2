package api

import (
	"context"
	"fmt"

	"hew/server/code"
	"hew/server/db"
	"hew/server/part"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/snippet"
	workapi "hew/server/work/api"
)

// specimen gives the owner, or a project, n public snippets of two files; the last one in the
// project has n notes.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	if at.NamespaceID != nil {
		return part.Values{}, nil
	}
	by := code.Author{
		Pusher: protect.Pusher{Who: policy.Who{ID: at.Owner.ID, Level: policy.Owner}}, User: at.Owner, Web: true,
	}
	values := part.Values{"ref": code.SnippetHead, "file_path": "a.txt"}
	for i := range n {
		made := snippet.New{By: by, Files: []code.Action{
			{Do: "create", Path: "a.txt", Content: new("a\n")}, {Do: "create", Path: "b.txt", Content: new("b\n")},
		}}
		made.Title, made.Visibility = fmt.Sprint("Snippet ", i), db.Public
		if made.ProjectID = at.ProjectID; at.ProjectID == nil {
			made.UserID = &at.Owner.ID
		}
		s, err := snippet.Create(ctx, h, made)
		if err != nil {
			return nil, err
		}
		values["snippet_id"] = fmt.Sprint(s.ID)
		if at.ProjectID != nil && i == n-1 {
			if err := workapi.NoteSpecimen(ctx, h, at, n, s.Target(), "projects", values); err != nil {
				return nil, err
			}
		}
	}
	return values, nil
}
