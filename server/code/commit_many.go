package code

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/git/object"
)

// CommitsOf returns commits of several projects: the nth is that of the nth project with the nth
// id, or zero if the project does not have it.
func CommitsOf(ctx context.Context, st *db.Store, projectIDs []int64, ids []object.ID) ([]Commit, error) {
	rows, err := db.Many[struct {
		Place int `db:"place"`
		Commit
	}](ctx, st, `
		select a.place, `+commitColumns+`
		from unnest(@projects::bigint[], @oids::bytea[]) with ordinality a (project, oid, place)
		join repositories r on r.project_id = a.project and r.kind = 'project'
		join commits c on c.repository_id = r.id and c.oid = a.oid`,
		pgx.NamedArgs{"projects": projectIDs, "oids": rawIDs(ids)})
	list := make([]Commit, len(ids))
	for _, row := range rows {
		list[row.Place-1] = row.Commit
	}
	return list, err
}
