package api

import (
	"context"
	"net/http"
	"slices"

	"hew/server/auth"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/note"
	noteapi "hew/server/note/api"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
	workapi "hew/server/work/api"
)

// noteRoutes serves the notes of snippets of projects, their discussions, and reactions to both
// (more §2, §3).
func noteRoutes(site *view.Site) []rest.Route {
	m := noteapi.Mount[InSnippet]{
		Site: site, Path: "/projects/{id}/snippets/{snippet_id}",
		Read: forProjectSnippet(), Write: noting(createNote), Award: noting(awardEmoji), On: InSnippet.notes,
	}
	return slices.Concat(m.Notes(), m.Discussions(), m.Awards(), m.NoteAwards())
}

// noting returns a guard of those who see the snippet of a project and have an ability on that.
// Requests that write are checked again under their first lock.
func noting(need policy.Ability) rest.Guard[InSnippet] {
	seen := forProjectSnippet()
	return guard(need, func(ctx context.Context, r *http.Request) (InSnippet, error) {
		if !auth.From(ctx).Known() {
			return InSnippet{}, fault.Unauthorized()
		}
		s, err := seen.Open(ctx, r)
		if err != nil {
			return s, err
		}
		s.Store.OnLock(func(ctx context.Context, tx *db.Store) error {
			now, err := findSnippet(ctx, scope.Anyone{Store: tx, Caller: s.Caller}, s.Snippet.ID)
			if err == nil {
				err = now.project.Place().Admit(need, "")
			}
			return err
		})
		return s, s.project.Place().Admit(need, "")
	})
}

// notes returns what the scope means for the notes of the snippet.
func (s InSnippet) notes() noteapi.On {
	return noteapi.On{
		Anyone: s.Anyone, Target: s.Snippet.Target(),
		Reader:    note.Reader{Sees: workapi.ViewerOf(s.Anyone).SeesAbout},
		Moderates: s.project.Can(adminNote), Dates: s.project.Can(adminNote),
	}
}
