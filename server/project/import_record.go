package project

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
)

// ImportRecord is what is kept of the last import of a project besides its status (spec 1 §2.8).
type ImportRecord struct {
	ProjectID     int64           `db:"project_id"`
	CorrelationID string          `db:"correlation_id"` // of the request that asked for the import; may be empty
	Stats         json.RawMessage `db:"stats"`          // {"fetched": {…}, "imported": {…}}; {} if nothing is counted
}

// StoreImportRecord stores the record of an import in place of an earlier one.
func StoreImportRecord(ctx context.Context, st *db.Store, r ImportRecord) error {
	if r.Stats == nil {
		r.Stats = json.RawMessage(`{}`)
	}
	return st.Exec(ctx, `
		insert into import_records (project_id, correlation_id, stats) values (@project, @correlation, @stats)
		on conflict (project_id) do update set (correlation_id, stats) = row(excluded.correlation_id, excluded.stats)`,
		pgx.NamedArgs{"project": r.ProjectID, "correlation": r.CorrelationID, "stats": r.Stats})
}

// FindImportRecord returns the record of the last import of a project, an empty one if there is
// none.
func FindImportRecord(ctx context.Context, st *db.Store, project int64) (ImportRecord, error) {
	r, err := db.One[ImportRecord](ctx, st, "Import", `select * from import_records where project_id = @project`,
		pgx.NamedArgs{"project": project})
	if fault.CodeOf(err) == fault.CodeNotFound {
		return ImportRecord{ProjectID: project, Stats: json.RawMessage(`{}`)}, nil
	}
	return r, err
}

// ImportFailure is something that an import could not store, and went on without (spec 1 §2.8, gaps
// §12.2).
type ImportFailure struct {
	ID        int64     `db:"id,auto" json:"id"`
	ProjectID int64     `db:"project_id" json:"-"`
	CreatedAt time.Time `db:"created_at,auto" json:"created_at"`
	Class     string    `db:"exception_class" json:"exception_class"`     // the kind of error
	Message   string    `db:"exception_message" json:"exception_message"` // without secrets
	Source    string    `db:"source" json:"source"`                       // the step that failed
	Relation  string    `db:"relation_name" json:"relation_name"`         // such as issues
	Line      int       `db:"line_number" json:"line_number"`             // of its document, from 0
}

// maxImportFailures is how many failures of an import are kept and shown.
const maxImportFailures = 100

// ImportFailures returns the failures of the import of a project, the first 100 at most.
func ImportFailures(ctx context.Context, st *db.Store, project int64) ([]ImportFailure, error) {
	return db.Many[ImportFailure](ctx, st, `
		select * from import_failures where project_id = @project order by id limit @most`,
		pgx.NamedArgs{"project": project, "most": maxImportFailures})
}

// AddImportFailure notes down what an import could not store. Beyond 100 of a project it does
// nothing.
func AddImportFailure(ctx context.Context, st *db.Store, f ImportFailure) error {
	return st.Exec(ctx, `
		insert into import_failures
		    (project_id, relation_name, line_number, exception_class, exception_message, source)
		select @project, @relation, @line, @class, left(@message, 1000), @source
		where (select count(*) from (
		    select from import_failures where project_id = @project limit @most) f) < @most`,
		pgx.NamedArgs{"project": f.ProjectID, "relation": f.Relation, "line": f.Line, "class": f.Class,
			"message": f.Message, "source": f.Source, "most": maxImportFailures})
}
