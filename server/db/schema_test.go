package db_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/servertest"
)

// texts reads a query of one text column.
func texts(t *testing.T, st *db.Store, sql string) []string {
	t.Helper()
	rows, err := st.DB().Query(context.Background(), sql)
	require.NoError(t, err)
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return list
}

// schema.txt is the schema as Postgres sees it, for reviews. The job queue's tables are River's
// business, and trigram indexes are there only where the extension is.
func TestSchemaIsRecorded(t *testing.T) {
	t.Parallel()
	st := servertest.Store(t)
	var out strings.Builder
	for _, table := range texts(t, st, `
		select table_name::text from information_schema.tables
		where table_schema = 'public' and table_name not like 'river%' order by 1`) {
		fmt.Fprintf(&out, "%s\n", table)
		for _, q := range []string{
			`select format('  %-34s %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
			        case when a.attnotnull then ' not null' else '' end,
			        coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), case when a.attidentity <> ''
			          then ' identity' else '' end))
			 from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
			 where a.attrelid = '%s'::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`,
			`select format('  constraint %s %s', conname, pg_get_constraintdef(oid)) from pg_constraint
			 where conrelid = '%s'::regclass order by conname`,
			`select '  ' || replace(pg_get_indexdef(indexrelid), 'public.', '') from pg_index
				join pg_class c on c.oid = indexrelid
			 where indrelid = '%s'::regclass and c.relname not like '%%\_trgm'
			   and not exists (select from pg_constraint where conindid = indexrelid) order by 1`,
		} {
			q = strings.ReplaceAll(strings.ReplaceAll(q, "'%s'", "'"+table+"'"), "%%", "%")
			for _, line := range texts(t, st, q) {
				fmt.Fprintln(&out, line)
			}
		}
		fmt.Fprintln(&out)
	}
	servertest.Golden(t, "schema.txt", out.String())
}

// A violated constraint must become a fault about a field, never a 500: so every one of them has
// its words.
func TestEveryConstraintHasARefusal(t *testing.T) {
	t.Parallel()
	st := servertest.Store(t)
	const ours = `r.relnamespace = 'public'::regnamespace and r.relname not like 'river%'`
	must := texts(t, st, `
		select c.conname::text from pg_constraint c join pg_class r on r.oid = c.conrelid
		where c.contype in ('c', 'f', 'u') and `+ours+`
		union
		select i.relname::text from pg_index x join pg_class i on i.oid = x.indexrelid
			join pg_class r on r.oid = x.indrelid
		where x.indisunique and not x.indisprimary and `+ours)
	primary := texts(t, st, `select c.conname::text from pg_constraint c join pg_class r on r.oid = c.conrelid
		where c.contype = 'p' and `+ours) // may have words, where the key is not a number of our own making
	require.NotEmpty(t, must)
	for _, name := range must {
		require.True(t, hasRefusal(st, name), "%s: a constraint without a refusal", name)
	}
	for _, name := range st.Refused() {
		require.Contains(t, append(must, primary...), name, "a refusal without a constraint")
	}
}

func hasRefusal(st *db.Store, constraint string) bool {
	_, ok := st.RefusalOf(constraint)
	return ok
}

func TestMigrateTwice(t *testing.T) {
	t.Parallel()
	_, pool, err := db.Open(t.Context(), db.Config{URL: servertest.URL(t)})
	require.NoError(t, err)
	defer pool.Close()
	require.NoError(t, db.Migrate(t.Context(), pool), "a second run has nothing to do")

	exec := func(sql string) {
		_, err := pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	exec(`insert into schema_migrations (name, checksum) values ('9999_future.sql', 'x')`)
	require.ErrorContains(t, db.Migrate(t.Context(), pool), "use a newer hewd")
	exec(`delete from schema_migrations where name like '9999%'`)
	exec(`update schema_migrations set checksum = 'other'`)
	require.ErrorContains(t, db.Migrate(t.Context(), pool), "was changed after it ran")
}
