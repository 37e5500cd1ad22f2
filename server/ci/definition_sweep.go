package ci

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// sweepDefinitions asks to remove the definitions of a project that no job has any more.
type sweepDefinitions struct {
	ProjectID int64 `json:"project_id"`
}

// Kind implements jobs.Args.
func (sweepDefinitions) Kind() string { return "sweep_job_definitions" }

// sweepBatch is how many definitions are locked at once.
const sweepBatch = 1000

// sweep removes the definitions of a project that no job has. It locks them first and looks again
// then: one who stores a pipeline locks the definitions that its jobs are going to have.
func sweep(ctx context.Context, st *db.Store, task sweepDefinitions) error {
	for last := int64(0); ; {
		var ids []int64
		err := st.Tx(ctx, func(st *db.Store) (err error) {
			args := pgx.NamedArgs{"project": task.ProjectID, "last": last, "most": sweepBatch}
			ids, err = db.Values[int64](ctx, st, `
				select d.id from job_definitions d
				where d.project_id = @project and d.id > @last
					and not exists (select from jobs j where j.definition_id = d.id)
				order by d.id limit @most for update skip locked`, args)
			if err != nil || len(ids) == 0 {
				return err
			}
			args["ids"] = ids
			return st.Exec(ctx, `
				delete from job_definitions d
				where d.id = any(@ids) and not exists (select from jobs j where j.definition_id = d.id)`, args)
		})
		if err != nil || len(ids) < sweepBatch {
			return err
		}
		last = ids[len(ids)-1]
	}
}
