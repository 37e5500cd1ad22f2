package api_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/packages"
	"hew/server/packages/nuget"
	"hew/server/servertest"
)

// TestPlans: what clients of feeds ask most reads packages through an index, in a project of 2,000
// among 20,000 others. Postgres counts the rows that a transaction reads without one.
func TestPlans(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Fresh(t))
	ctx, st := t.Context(), p.s.Store
	other := p.newProject("other", p.newGroup("elsewhere", nil))
	for _, sql := range []string{
		`insert into packages (project_id, type, name, version, name_key, version_key, sort_key, prerelease)
		 select case when i <= 500 then @project::bigint else @other end, 'nuget', 'Acme.Package' || i, v || '.0.0',
		        'acme.package' || i, lpad(v::text, 8, '0'), lpad(v::text, 8, '0'), v = 4
		 from generate_series(1, 5000) i, generate_series(1, 4) v`,
		`insert into nuget_metadata (package_id, authors) select id, 'Ada' from packages`,
		`insert into nuget_dependencies (package_id, place, framework, name, range)
		 select id, 1, 'net8.0', 'Acme.Log', '2.0.0' from packages`,
	} {
		require.NoError(t, st.Exec(ctx, sql, pgx.NamedArgs{"project": p.project.ID, "other": other.ID}), sql)
	}
	p.push("Acme.Real", "2.0.0")
	_, err := st.DB().Exec(ctx, `vacuum analyze`)
	require.NoError(t, err)

	ofProject := packages.Feed{ProjectID: p.project.ID}
	ofGroup := packages.Feed{GroupID: p.group.ID, Reader: packages.Reader{All: true}}
	version, ok := nuget.LookupVersion("2.0.0")
	require.True(t, ok)
	versionsOf := func(f packages.Feed) func(context.Context, *db.Store) (int, error) {
		return func(ctx context.Context, st *db.Store) (int, error) {
			versions, err := packages.NugetVersions(ctx, st, f, "Acme.Package77")
			return len(versions), err
		}
	}
	search := func(f packages.Feed, q packages.Search) func(context.Context, *db.Store) (int, error) {
		return func(ctx context.Context, st *db.Store) (int, error) {
			found, _, err := packages.FindPackages(ctx, st, f, q)
			return len(found), err
		}
	}
	for name, ask := range map[string]func(context.Context, *db.Store) (int, error){
		"search of a project":    search(ofProject, packages.Search{Text: "package77", Take: 20, Prerelease: true}),
		"search of a group":      search(ofGroup, packages.Search{Text: "package77", Take: 20, Prerelease: true}),
		"releases of a project":  search(ofProject, packages.Search{Take: 20}),
		"last page of a project": search(ofProject, packages.Search{Skip: 480, Take: 20, Prerelease: true}),
		"versions in a project":  versionsOf(ofProject),
		"versions in a group":    versionsOf(ofGroup),
		"one version of a group": func(ctx context.Context, st *db.Store) (int, error) {
			_, err := packages.FindNuget(ctx, st, ofGroup, "Acme.Real", "2.0.0")
			return 1, err
		},
		"a package by its name": func(ctx context.Context, st *db.Store) (int, error) {
			_, err := packages.Packages(st, p.project.ID).One(ctx, packages.Named(
				packages.NugetIdentity("Acme.Real", version)))
			return 1, err
		},
	} {
		var found int
		var read int64
		err := st.Tx(ctx, func(tx *db.Store) (err error) {
			const counter = `
				select sum(seq_tup_read)::bigint from pg_stat_xact_user_tables
				where relname in ('packages', 'package_names', 'nuget_metadata', 'nuget_dependencies')`
			before, err := db.Value[int64](ctx, tx, counter, nil)
			if err != nil {
				return err
			}
			if found, err = ask(ctx, tx); err != nil {
				return err
			}
			read, err = db.Value[int64](ctx, tx, counter, nil)
			read -= before
			return err
		})
		require.NoError(t, err, name)
		require.NotZero(t, found, name)
		assert.Zero(t, read, "%s: rows were read without an index", name)
	}
}
