package forge

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/forge/github"
)

// outsidePages is what cursors begin with while outside collaborators are read.
const outsidePages = "outside "

// readCollaborators reads a page of the collaborators. The cursor is a list page. The outside
// collaborators of an organization come first, so that the others are known by them: they do not
// become members (transfer.md §3.1). One list that the host refuses ends the stage, so that nobody
// becomes a member whom the other one would have left out.
func readCollaborators(ctx context.Context, r *run) (s step, err error) {
	read := func(kind, affiliation, cursor string) (step, error) {
		return list[github.Collaborator]{"collaborators", "/collaborators", "affiliation=" + affiliation,
			func(c github.Collaborator) (document, []*github.User) {
				return document{Kind: kind, Key: c.Login, Value: c}, []*github.User{{Login: c.Login}}
			}}.readPage(ctx, r, cursor)
	}
	cursor, outside := strings.CutPrefix(r.Cursor, outsidePages)
	if r.Cursor == "" || outside {
		if s, err = read(kindOutside, "outside", cursor); err != nil {
			return s, err
		}
		s.users = nil
		if s.stage == "" {
			s.stage, s.cursor = "collaborators", "0 " // the first page of the others
		} else {
			s.cursor = outsidePages + s.cursor
		}
		return s, nil
	}
	if s, err = read(kindCollaborator, "direct", cursor); err != nil {
		return s, err
	}
	return s, r.dropOutside(ctx, &s)
}

// dropOutside removes the outside collaborators from a step.
func (r *run) dropOutside(ctx context.Context, s *step) error {
	logins := make([]string, len(s.documents))
	for i, d := range s.documents {
		logins[i] = d.Key
	}
	outside, err := db.Values[string](ctx, r.st, `
		select key from forge_documents where project_id = @project and kind = @kind and key = any(@logins)`,
		pgx.NamedArgs{"project": r.ProjectID, "kind": kindOutside, "logins": logins})
	s.documents = slices.DeleteFunc(s.documents, func(d document) bool { return slices.Contains(outside, d.Key) })
	s.users = slices.DeleteFunc(s.users, func(login string) bool { return slices.Contains(outside, login) })
	return err
}
