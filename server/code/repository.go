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
	Wiki   Kind = "wiki"    // the pages of the wiki of a project or group
)

// Repository is a row of repositories. The first write makes it, so that an empty repository has
// none: its ID is 0.
type Repository struct {
	ID int64 `db:"id,auto"`
	db.Container
	Kind       Kind       `db:"kind"`
	ChosenHead *string    `db:"head"`                // of a wiki that was pushed to; see Git.Head
	GCEpoch    int64      `db:"gc_epoch"`            // grows whenever objects are removed
	Size       int64      `db:"size"`                // in bytes, as counted last
	Collected  *time.Time `db:"collected_at"`        // when garbage was collected last; nil: never
	Garbage    int        `db:"unreachable_commits"` // commits that no ref reached then and that were kept
	CreatedAt  time.Time  `db:"created_at,auto"`
	UpdatedAt  time.Time  `db:"updated_at,auto"`
}

// selectRepository finds the repository of a project or group.
func selectRepository(c db.Container, kind Kind) (sql string, args pgx.NamedArgs) {
	w := db.NewWhere(nil)
	c.Within(w, "r")
	w.And(`r.kind = @kind`, kind)
	return `select r.* from repositories r` + w.String(), w.Args
}

// FindRepository returns a repository of a project or group, one without an id if nothing was ever
// written to it.
func FindRepository(ctx context.Context, st *db.Store, c db.Container, kind Kind) (Repository, error) {
	find, args := selectRepository(c, kind)
	r, err := db.One[Repository](ctx, st, "Repository", find, args)
	if fault.CodeOf(err) == fault.CodeNotFound {
		return Repository{Container: c, Kind: kind}, nil
	}
	return r, err
}

// holdRepository returns a repository of a project or group, which it makes if it must, and keeps
// it until the commit: nobody can remove its owner or collect garbage meanwhile.
func holdRepository(ctx context.Context, st *db.Store, c db.Container, kind Kind) (Repository, error) {
	find, args := selectRepository(c, kind)
	find += ` for key share`
	r, err := db.One[Repository](ctx, st, "Repository", find, args)
	if fault.CodeOf(err) != fault.CodeNotFound {
		return r, err
	}
	if err := st.Exec(ctx, `
		insert into repositories (namespace_id, project_id, kind) values (@owner_group, @owner_project, @kind)
		on conflict do nothing`,
		pgx.NamedArgs{"owner_group": c.NamespaceID, "owner_project": c.ProjectID, "kind": kind}); err != nil {
		return r, err
	}
	return db.One[Repository](ctx, st, "Repository", find, args)
}
