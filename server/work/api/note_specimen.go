package api

import (
	"context"
	"fmt"
	"strings"

	"hew/server/db"
	"hew/server/note"
	"hew/server/part"
	"hew/server/tree"
)

// NoteSpecimen writes n notes on an issue, epic or merge request below projects or groups, and n
// replies to the first; n users react to the target and to that note.
func NoteSpecimen(
	ctx context.Context, h *db.Store, at part.Place, n int, on note.Target, below string, values part.Values,
) error {
	first, err := note.Create(ctx, h, on, note.New{By: at.Owner, Body: "A thread", Thread: on.Kind == note.Snippet})
	if err != nil {
		return err
	}
	thread := note.Discussion{ID: first.DiscussionID, Notes: []note.Note{first}}
	for k := range n {
		text := fmt.Sprintf("Note %d", k)
		if _, err := note.Create(ctx, h, on, note.New{By: at.Owner, Body: text}); err != nil {
			return err
		}
		if _, err := note.Reply(ctx, h, on, thread, note.New{By: at.Owner, Body: text}); err != nil {
			return err
		}
		name := fmt.Sprintf("fan-%s-%d-%d", strings.ToLower(string(on.Kind)), on.ID, k)
		fan, err := tree.CreateUser(ctx, h, tree.NewUser(name, name, name+"@example.com"))
		if err != nil {
			return err
		}
		a, err := note.AddAward(ctx, h, note.Awardable{Target: on}, fan, "tada")
		if err != nil {
			return err
		}
		b, err := note.AddAward(ctx, h, note.Awardable{Target: on, Note: &first}, fan, "tada")
		if err != nil {
			return err
		}
		values[below+"/award_id"], values[below+"/note_award_id"] = fmt.Sprint(a.ID), fmt.Sprint(b.ID)
	}
	values[below+"/note_id"], values[below+"/discussion_id"] = fmt.Sprint(first.ID), first.DiscussionID
	return nil
}
