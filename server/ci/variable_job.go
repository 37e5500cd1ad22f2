package ci

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/expression"
	"hew/server/db"
)

// jobVariables returns, in clear and in the order of the jobs, the variables that jobs were started
// with, or those that they have reported.
func jobVariables(
	ctx context.Context, st *db.Store, jobIDs []int64, dotenv bool,
) ([]expression.Variable, error) {
	if len(jobIDs) == 0 {
		return nil, nil
	}
	rows, err := db.Many[variableRow](ctx, st, `
		select id, key, sealed, variable_type, raw from job_variables
		where job_id = any(@jobs) and dotenv = @dotenv order by job_id, id`,
		pgx.NamedArgs{"jobs": jobIDs, "dotenv": dotenv})
	if err != nil {
		return nil, err
	}
	return ofJob.open(st, rows)
}

// carryVariables gives jobs that are another try the variables that the first was started with.
func (c *Change) carryVariables(ctx context.Context) error {
	next := map[int64]int64{}
	for fresh, old := range c.retries {
		next[old.ID] = fresh.ID
	}
	if len(next) == 0 {
		return nil
	}
	type row struct {
		variableRow
		JobID int64 `db:"job_id"`
	}
	rows, err := db.Many[row](ctx, c.Store, `
		select id, job_id, key, sealed, variable_type, raw from job_variables
		where job_id = any(@jobs) and not dotenv order by id`,
		pgx.NamedArgs{"jobs": slices.Collect(maps.Keys(next))})
	if err != nil {
		return err
	}
	for _, r := range rows {
		list, err := ofJob.open(c.Store, []variableRow{r.variableRow})
		if err == nil {
			err = ofJob.write(ctx, c.Store, next[r.JobID], list)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// storeDotenv stores the variables that a job has reported, in place of what it reported before.
func storeDotenv(ctx context.Context, st *db.Store, jobID int64, list []expression.Variable) error {
	args := pgx.NamedArgs{"job": jobID}
	if err := st.Exec(ctx, `delete from job_variables where job_id = @job and dotenv`, args); err != nil {
		return err
	}
	for _, v := range list {
		id, err := st.NextID(ctx, ofJob.table)
		if err != nil {
			return err
		}
		if err := st.Exec(ctx, `
			insert into job_variables (id, job_id, key, sealed, dotenv) values (@id, @job, @key, @sealed, true)`,
			pgx.NamedArgs{
				"id": id, "job": jobID, "key": v.Key, "sealed": st.Seal.Seal(ofJob.seal(), id, []byte(v.Value)),
			}); err != nil {
			return err
		}
	}
	return nil
}
