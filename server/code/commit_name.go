package code

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/git/object"
)

// CommitName names a commit of a project.
type CommitName struct {
	ProjectID int64     `db:"project_id"`
	ID        object.ID `db:"commit_id"`
}

// CommitsNamed returns commits of any projects. One that does not exist is left out.
func CommitsNamed(ctx context.Context, st *db.Store, names []CommitName) (map[CommitName]Commit, error) {
	if len(names) == 0 {
		return nil, nil
	}
	projects, ids := make([]int64, len(names)), make([]object.ID, len(names))
	for i, n := range names {
		projects[i], ids[i] = n.ProjectID, n.ID
	}
	rows, err := db.Many[struct {
		ProjectID int64 `db:"project_id"`
		Commit
	}](ctx, st, `
		select distinct k.project_id, `+commitColumns+`
		from unnest(@projects::bigint[], @oids::bytea[]) k (project_id, oid)
			join repositories r on r.project_id = k.project_id and r.kind = @kind
			join commits c on c.repository_id = r.id and c.oid = k.oid`,
		pgx.NamedArgs{"projects": projects, "oids": rawIDs(ids), "kind": Source})
	commits := make(map[CommitName]Commit, len(rows))
	for _, r := range rows {
		commits[CommitName{r.ProjectID, r.Commit.ID}] = r.Commit
	}
	return commits, err
}
