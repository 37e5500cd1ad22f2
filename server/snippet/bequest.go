package snippet

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/people"
)

// beforeUserRemoval gives snippets of users in projects to the ghost user, or deletes them. Those
// outside of projects go with the personal namespace.
func beforeUserRemoval(ctx context.Context, st *db.Store, e people.BeforeRemoval) error {
	for _, u := range e.Users { // repositories are locked before snippets, as by pushes
		err := st.Exec(ctx, `
			select from repositories r join snippets t on t.id = r.snippet_id where t.author_id = @id
			order by r.id for update of r`, pgx.NamedArgs{"id": u.ID})
		if err != nil {
			return err
		}
	}
	return e.Bequeath(ctx, st, "snippets")
}
