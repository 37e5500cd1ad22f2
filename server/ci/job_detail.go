package ci

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// JobDetail is a job with its runner, its archive and its environment, as events tell of it.
type JobDetail struct {
	Job
	Runner      *JobRunner      `db:"runner,auto"`      // nil: none has it, or it is gone
	Archive     *JobArchive     `db:"archive,auto"`     // nil: it left none behind
	Environment *JobEnvironment `db:"environment,auto"` // nil: it has none
}

// JobRunner is the runner of a job.
type JobRunner struct {
	ID          int64
	Description string
	Type        string // InstanceRunner, GroupRunner, ProjectRunner
	Active      bool   // it is not paused
	Tags        []string
}

// JobArchive is the archive of artifacts of a job.
type JobArchive struct {
	Filename string
	Size     int64 // bytes
}

// JobEnvironment is what a job does to an environment.
type JobEnvironment struct {
	Name   string
	Action string  // start, stop, prepare, verify or access
	Tier   *string // nil: nobody has said it
}

var selectJobDetails = `
	select ` + jobColumns + `,
	(select jsonb_build_object('ID', r.id, 'Description', r.description, 'Type', r.runner_type, 'Active', not r.paused,
	    'Tags', r.tags) from runners r where r.id = t.runner_id) as runner,
	(select jsonb_build_object('Filename', a.filename, 'Size', a.size) from job_artifacts a
	    where a.job_id = t.id and a.file_type = 'archive') as archive,
	(select jsonb_build_object('Name', coalesce(e.name, d.definition->'environment'->>'name'),
	        'Action', coalesce(nullif(d.definition->'environment'->>'action', ''), 'start'),
	        'Tier', coalesce(e.tier, d.definition->'environment'->>'deployment_tier'))
	    from job_definitions d left join environments e on e.id = t.environment_id
	    where d.id = t.definition_id and d.definition->'environment' is not null) as environment
	from jobs t join pipelines l on l.id = t.pipeline_id join projects p on p.id = t.project_id`

// JobDetails returns the newest jobs of each name in a pipeline, by id.
func JobDetails(ctx context.Context, s *db.Store, pipelineID int64) ([]JobDetail, error) {
	return db.Many[JobDetail](ctx, s, selectJobDetails+` where t.pipeline_id = @pipeline and not t.retried order by t.id`,
		pgx.NamedArgs{"pipeline": pipelineID})
}

// JobDetailsOf returns the jobs with the ids, by id.
func JobDetailsOf(ctx context.Context, s *db.Store, ids []int64) ([]JobDetail, error) {
	return db.Many[JobDetail](ctx, s, selectJobDetails+` where t.id = any(@ids) order by t.id`,
		pgx.NamedArgs{"ids": ids})
}
