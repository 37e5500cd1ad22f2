// Package backup writes a hewd database to a file and restores it.
//
// The file is a tar archive, written and read in one pass and a few megabytes at a time. First
// comes the manifest, then the rows of each table as COPY writes them in binary, in parts, and at
// the end what lets a reader know that nothing is missing. All rows are of one snapshot, so that
// the server can go on meanwhile.
//
// pg_dump would write packs as text, twice as long. It would also keep ids of transactions, which
// mean nothing in another cluster: columns that hold one (xid8) are left out here, and get that of
// the restore.
//
// Left out, too, are unlogged tables, which say what processes do at the moment; content on S3,
// which rows only name; and the sealing key, but for its digest.
package backup

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// format is the version of the layout of files.
const format = 1

// The names in the archive. Parts of tables are at tables/NAME/NUMBER.
const (
	manifestName = "manifest.json"
	endName      = "end.json"
	tablesDir    = "tables/"
)

// partSize is the size in bytes of the parts of tables: the archive gives sizes beforehand, and
// COPY does not.
const partSize = 4 << 20

// Manifest is what a file tells of itself first.
type Manifest struct {
	Format    int       `json:"format"`
	Version   string    `json:"hewd"` // that wrote it
	CreatedAt time.Time `json:"created_at"`
	Schema    db.Schema `json:"schema"`
	KeyDigest string    `json:"key_digest"` // of the sealing key, in hexadecimal; empty: there was none
	Tables    []table   `json:"tables"`     // in the order of the archive
}

// table is a table with the columns that are kept.
type table struct {
	Name    string   `db:"name" json:"name"`
	Columns []string `db:"columns" json:"columns"`
}

// end is the last entry of a file.
type end struct {
	Rows      map[string]int64 `json:"rows"`      // by table
	Sequences map[string]int64 `json:"sequences"` // the last values given out
	SHA256    string           `json:"sha256"`    // of all rows, in hexadecimal
}

// Summary says what was written or restored.
type Summary struct {
	Tables    int
	Rows      int64
	Bytes     int64 // of rows
	CreatedAt time.Time
	KeyDigest string // of the key that its secrets are sealed under; empty: there is none
}

// Progress is called after each part, from one goroutine, with the bytes of rows that have been
// written or restored.
type Progress func(bytes int64)

// ErrDamaged is the error of a file that was not written by hewd, was changed, or ends early.
var ErrDamaged = errors.New("the backup is damaged")

func damaged(how string, args ...any) error {
	return fmt.Errorf("%w: "+how, append([]any{ErrDamaged}, args...)...)
}

// keptTables are the tables of a schema that are kept, with their columns. Those of the migrations
// are made by migrating.
const keptTables = `
	select c.relname as name, array(
		select a.attname::text from pg_attribute a
		where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
			and a.atttypid <> 'xid8'::regtype
		order by a.attnum) as columns
	from pg_class c
	where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
		and c.relname not in ('schema_migrations', 'river_migration', '` + db.Unfinished + `')
	order by c.relname`

// tables returns the tables that are kept.
func tables(ctx context.Context, conn *pgx.Conn) ([]table, error) {
	rows, err := conn.Query(ctx, keptTables)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[table])
}

// columns returns the columns of a table for a statement.
func (t table) columns() (list string) {
	for i, c := range t.Columns {
		if i > 0 {
			list += ", "
		}
		list += pgx.Identifier{c}.Sanitize()
	}
	return list
}

// quoted returns the name of a table for a statement.
func (t table) quoted() string { return pgx.Identifier{t.Name}.Sanitize() }
