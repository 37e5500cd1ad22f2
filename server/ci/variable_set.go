package ci

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/expression"
	"hew/server/db"
)

// variableSet is a table of variables that belong to one thing: a pipeline, a schedule or a job.
type variableSet struct{ table, owner string }

// The variables that a pipeline was started with, those that a schedule starts pipelines with, and
// those that a job was started with or has reported.
var (
	ofPipeline = variableSet{"pipeline_variables", "pipeline_id"}
	ofSchedule = variableSet{"pipeline_schedule_variables", "schedule_id"}
	ofJob      = variableSet{"job_variables", "job_id"}
)

type variableRow struct {
	ID     int64  `db:"id"`
	Key    string `db:"key"`
	Sealed []byte `db:"sealed"`
	Type   string `db:"variable_type"`
	Raw    bool   `db:"raw"`
}

// seal is where the values are, for their seals.
func (v variableSet) seal() string { return v.table + ".value" }

// read returns the variables of a thing in clear, by id.
func (v variableSet) read(ctx context.Context, st *db.Store, id int64) ([]expression.Variable, error) {
	rows, err := db.Many[variableRow](ctx, st, `
		select id, key, sealed, variable_type, raw from `+v.table+` where `+v.owner+` = @id order by id`,
		pgx.NamedArgs{"id": id})
	if err != nil {
		return nil, err
	}
	return v.open(st, rows)
}

// open returns the variables of rows in clear.
func (v variableSet) open(st *db.Store, rows []variableRow) ([]expression.Variable, error) {
	list := make([]expression.Variable, len(rows))
	for n, r := range rows {
		value, err := st.Seal.Open(v.seal(), r.ID, r.Sealed)
		if err != nil {
			return nil, err
		}
		list[n] = expression.Variable{Key: r.Key, Value: string(value), Raw: r.Raw, File: r.Type == "file"}
	}
	return list, nil
}

// write adds variables to a thing. A key that is given twice has the last value.
func (v variableSet) write(ctx context.Context, st *db.Store, id int64, list []expression.Variable) error {
	for _, given := range list {
		rowID, err := st.NextID(ctx, v.table)
		if err != nil {
			return err
		}
		kind := "env_var"
		if given.File {
			kind = "file"
		}
		if err := st.Exec(ctx, `delete from `+v.table+` where `+v.owner+` = @id and key = @key`,
			pgx.NamedArgs{"id": id, "key": given.Key}); err != nil {
			return err
		}
		if err := st.Exec(ctx, `
			insert into `+v.table+` (id, `+v.owner+`, key, sealed, variable_type, raw)
			values (@row, @id, @key, @sealed, @kind, @raw)`, pgx.NamedArgs{
			"row": rowID, "id": id, "key": given.Key, "kind": kind, "raw": given.Raw,
			"sealed": st.Seal.Seal(v.seal(), rowID, []byte(given.Value)),
		}); err != nil {
			return err
		}
	}
	return nil
}

// PipelineVariables returns the variables that a pipeline was started with, in clear.
func PipelineVariables(ctx context.Context, st *db.Store, pipelineID int64) ([]expression.Variable, error) {
	return ofPipeline.read(ctx, st, pipelineID)
}
