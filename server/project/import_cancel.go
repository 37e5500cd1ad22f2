package project

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// CancelImport ends the import of a project without a result, and returns the project, and whether
// it was not over yet. What has been stored stays. Whoever works on the import notices with its
// next step.
func CancelImport(ctx context.Context, st *db.Store, project int64) (p tree.Project, canceled bool, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if p, err = tree.HoldProject(ctx, st, project); err != nil {
			return err
		}
		n, err := st.Affected(ctx, `delete from project_imports where project_id = @id`, pgx.NamedArgs{"id": project})
		if err != nil || n == 0 {
			return err
		}
		canceled = true
		if err := st.Exec(ctx, `
			update projects set import_status = 'canceled', import_error = null, updated_at = now() where id = @id`,
			pgx.NamedArgs{"id": project}); err != nil {
			return err
		}
		p, err = tree.FindProject(ctx, st, project)
		return err
	})
	return p, canceled, err
}
