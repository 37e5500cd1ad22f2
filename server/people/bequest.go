package people

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// Bequeath gives what the users wrote to the ghost user, or deletes it if the removal is hard: the
// rows of tables that name them in the column author_id.
func (e BeforeRemoval) Bequeath(ctx context.Context, st *db.Store, tables ...string) error {
	ids := make([]int64, len(e.Users))
	for n, u := range e.Users {
		ids[n] = u.ID
	}
	for _, table := range tables {
		if err := e.bequeath(ctx, st, table, pgx.NamedArgs{"ids": ids}); err != nil {
			return err
		}
	}
	return nil
}

func (e BeforeRemoval) bequeath(ctx context.Context, st *db.Store, table string, args pgx.NamedArgs) error {
	const theirs = ` where author_id = any(@ids)`
	if e.Hard {
		return st.Exec(ctx, `delete from `+table+theirs, args)
	}
	wrote, err := db.Value[bool](ctx, st, `select exists (select from `+table+theirs+`)`, args)
	if err != nil || !wrote {
		return err
	}
	heir, err := Ghost(ctx, st)
	if err != nil {
		return err
	}
	args["heir"] = heir.ID
	return st.Exec(ctx, `update `+table+` set author_id = @heir`+theirs, args)
}
