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
	Source  Kind = "project" // the code of a project
	Wiki    Kind = "wiki"    // the pages of the wiki of a project or group
	Snippet Kind = "snippet" // the files of a snippet
)

// Repository is a row of repositories. The first write makes it, so that an empty repository has
// none: its ID is 0.
type Repository struct {
	ID           int64      `db:"id,auto"`
	db.Container            // of a snippet: empty
	SnippetID    *int64     `db:"snippet_id"`
	Kind         Kind       `db:"kind"`
	ChosenHead   *string    `db:"head"`                // of a wiki that was pushed to; see Git.Head
	GCEpoch      int64      `db:"gc_epoch"`            // grows whenever objects are removed
	Size         int64      `db:"size"`                // in bytes, as counted last
	Collected    *time.Time `db:"collected_at"`        // when garbage was collected last; nil: never
	Garbage      int        `db:"unreachable_commits"` // commits that no ref reached then and that were kept
	CreatedAt    time.Time  `db:"created_at,auto"`
	UpdatedAt    time.Time  `db:"updated_at,auto"`
}

// selectRepository finds the repository at a place.
func selectRepository(p Place) (sql string, args pgx.NamedArgs) {
	w := db.NewWhere(nil)
	p.Within(w, "r")
	w.AndIf(p.snippet != nil, `r.snippet_id = @snippet`, p.snippet)
	w.And(`r.kind = @kind`, p.Kind)
	return `select r.* from repositories r` + w.String(), w.Args
}

// FindRepository returns the repository at a place, one without an id if nothing was ever written
// to it.
func FindRepository(ctx context.Context, st *db.Store, p Place) (Repository, error) {
	find, args := selectRepository(p)
	r, err := db.One[Repository](ctx, st, "Repository", find, args)
	if fault.CodeOf(err) == fault.CodeNotFound {
		return Repository{Container: p.Container, SnippetID: p.snippet, Kind: p.Kind}, nil
	}
	return r, err
}

// holdRepository returns the repository at a place, which it makes if it must, and keeps it until
// the commit: nobody can remove its owner or collect garbage meanwhile.
func holdRepository(ctx context.Context, st *db.Store, p Place) (Repository, error) {
	find, args := selectRepository(p)
	find += ` for key share`
	r, err := db.One[Repository](ctx, st, "Repository", find, args)
	if fault.CodeOf(err) != fault.CodeNotFound {
		return r, err
	}
	if err := st.Exec(ctx, `
		insert into repositories (namespace_id, project_id, snippet_id, kind)
		values (@owner_group, @owner_project, @snippet, @kind) on conflict do nothing`,
		pgx.NamedArgs{
			"owner_group": p.NamespaceID, "owner_project": p.ProjectID, "snippet": p.snippet, "kind": p.Kind,
		}); err != nil {
		return r, err
	}
	return db.One[Repository](ctx, st, "Repository", find, args)
}
