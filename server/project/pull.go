package project

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// StorePull stores how the last pull of a project that is a mirror ended. Hosts of this API show it
// as the state of the import. A text says why it failed, and is shown to maintainers.
func StorePull(ctx context.Context, st *db.Store, project int64, failure string) error {
	return st.Exec(ctx, `
		update projects set import_error = nullif(@failure, ''), import_status = @status
		where id = @id and import_status not in ('scheduled', 'started')
		      and (import_error is distinct from nullif(@failure, '') or import_status <> @status)`,
		pgx.NamedArgs{"id": project, "failure": failure, "status": pullStatus(failure)})
}

func pullStatus(failure string) string {
	if failure == "" {
		return "finished"
	}
	return "failed"
}
