package code

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
)

// Kind says what a repository is for.
type Kind string

// The kinds.
const (
	Source Kind = "project" // the code of a project
	Wiki   Kind = "wiki"    // the pages of its wiki
)

// Repository is a row of repositories. The first write makes it, so that an empty repository has
// none: its ID is 0.
type Repository struct {
	ID        int64      `db:"id,auto"`
	ProjectID int64      `db:"project_id"`
	Kind      Kind       `db:"kind"`
	GCEpoch   int64      `db:"gc_epoch"`            // grows whenever objects are removed
	Size      int64      `db:"size"`                // in bytes, as counted last
	Collected *time.Time `db:"collected_at"`        // when garbage was collected last; nil: never
	Garbage   int        `db:"unreachable_commits"` // commits that no ref reached then and that were kept
	CreatedAt time.Time  `db:"created_at,auto"`
	UpdatedAt time.Time  `db:"updated_at,auto"`
}

// FindRepository returns the repository of a project, one without an id if nothing was ever written
// to it.
func FindRepository(ctx context.Context, st *db.Store, project int64, kind Kind) (Repository, error) {
	r, err := db.One[Repository](ctx, st, "Repository", `
		select * from repositories where project_id = @project and kind = @kind`,
		pgx.NamedArgs{"project": project, "kind": kind})
	if fault.CodeOf(err) == fault.CodeNotFound {
		return Repository{ProjectID: project, Kind: kind}, nil
	}
	return r, err
}

// holdRepository returns the repository of a project, which it makes if it must, and keeps it until
// the commit: nobody can remove the project or collect garbage meanwhile.
func holdRepository(ctx context.Context, st *db.Store, project int64, kind Kind) (Repository, error) {
	args := pgx.NamedArgs{"project": project, "kind": kind}
	const find = `select * from repositories where project_id = @project and kind = @kind for key share`
	r, err := db.One[Repository](ctx, st, "Repository", find, args)
	if fault.CodeOf(err) != fault.CodeNotFound {
		return r, err
	}
	if err := st.Exec(ctx, `
		insert into repositories (project_id, kind) values (@project, @kind) on conflict do nothing`, args); err != nil {
		return r, err
	}
	return db.One[Repository](ctx, st, "Repository", find, args)
}
