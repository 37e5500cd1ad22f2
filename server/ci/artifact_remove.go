package ci

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/jobs"
)

// removeProjectArtifacts asks to remove all artifacts of the jobs of a project, but not traces.
type removeProjectArtifacts struct {
	ProjectID int64 `json:"project_id"`
}

// Kind implements jobs.Args.
func (removeProjectArtifacts) Kind() string { return "remove_project_artifacts" }

// RemoveProjectArtifacts removes the artifacts of all jobs of a project soon, but not their traces.
func RemoveProjectArtifacts(ctx context.Context, st *db.Store, projectID int64) error {
	return jobs.Enqueue(ctx, st, removeProjectArtifacts{ProjectID: projectID})
}

// removeArtifactsOfProject removes the artifacts in batches, so that no transaction gets long.
func removeArtifactsOfProject(ctx context.Context, st *db.Store, task removeProjectArtifacts) error {
	for {
		n, err := st.Affected(ctx, `
			delete from job_artifacts where id in (
			    select id from job_artifacts where project_id = @project and file_type <> 'trace' limit 1000)`,
			pgx.NamedArgs{"project": task.ProjectID})
		if err != nil || n == 0 {
			return err
		}
	}
}
