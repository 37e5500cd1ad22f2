package ci

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/fault"
)

// archiveTrace asks to store the trace of a job that is over as an artifact.
type archiveTrace struct {
	JobID int64 `json:"job_id"`
}

// Kind implements jobs.Args.
func (archiveTrace) Kind() string { return "archive_trace" }

// traceName is the file name of the artifact of a trace.
const traceName = "job.log"

// storeTrace makes an artifact of the rows of a trace. What was erased meanwhile stays away.
func storeTrace(ctx context.Context, st *db.Store, task archiveTrace) error {
	j, err := FindJob(ctx, st, task.JobID)
	if err != nil || !j.Status.Complete() || j.TraceSize == 0 {
		return fault.IgnoreNotFound(err)
	}
	if _, err := FindArtifact(ctx, st, j.ID, TraceFile); fault.CodeOf(err) != fault.CodeNotFound {
		return err
	}
	r, err := ReadTrace(ctx, st, j, 0)
	if err != nil {
		return err
	}
	ref, err := blob.Put(ctx, st, r, blob.NoLimit)
	if err = errors.Join(err, r.Close()); err != nil {
		return err
	}
	return st.Tx(ctx, func(st *db.Store) error {
		args := pgx.NamedArgs{
			"project": j.ProjectID, "job": j.ID, "name": traceName, "blob": ref.ID, "size": ref.Size,
			"trace": j.TraceSize,
		}
		n, err := st.Affected(ctx, `
			insert into job_artifacts (project_id, job_id, file_type, file_format, filename, blob_id, size)
			select @project, id, 'trace', 'raw', @name, @blob, @size from jobs where id = @job and trace_size = @trace
			on conflict (job_id, file_type) do nothing`, args)
		if err != nil || n == 0 {
			return err
		}
		return st.Exec(ctx, `delete from job_trace_chunks where job_id = @job`, args)
	})
}
