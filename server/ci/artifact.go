package ci

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/blob"
	"hew/server/db"
)

// Artifact is a file that a job left behind: what it was told to keep, a report, or its trace.
type Artifact struct {
	ID         int64      `db:"id,auto"`
	ProjectID  int64      `db:"project_id"`
	JobID      int64      `db:"job_id"`
	FileType   string     `db:"file_type"`   // archive, metadata, trace, junit, dotenv …
	FileFormat string     `db:"file_format"` // zip, gzip, raw
	Filename   string     `db:"filename"`
	BlobID     int64      `db:"blob_id"`
	Size       int64      `db:"size"`      // bytes
	Access     string     `db:"access"`    // AllAccess, DeveloperAccess, MaintainerAccess, NoAccess
	ExpireAt   *time.Time `db:"expire_at"` // nil: never
	CreatedAt  time.Time  `db:"created_at,auto"`
}

// The file types of artifacts that the server itself tells apart.
const (
	ArchiveFile  = "archive"  // the files of artifacts:paths, as a zip
	MetadataFile = "metadata" // the list of the files in the archive
	TraceFile    = "trace"
	DotenvFile   = "dotenv"
	JUnitFile    = "junit"
)

// Who may read an artifact, of those who see the job: anybody, developers, maintainers, or only the
// jobs that need it.
const (
	AllAccess        = "all"
	DeveloperAccess  = "developer"
	MaintainerAccess = "maintainer"
	NoAccess         = "none"
)

const selectArtifacts = `select t.* from job_artifacts t`

// ArtifactsOf returns the artifacts of jobs by the id of the job, each list in the order of upload.
func ArtifactsOf(ctx context.Context, st *db.Store, jobIDs ...int64) (map[int64][]Artifact, error) {
	list, err := db.Many[Artifact](ctx, st, selectArtifacts+` where t.job_id = any(@jobs) order by t.id`,
		pgx.NamedArgs{"jobs": jobIDs})
	by := map[int64][]Artifact{}
	for _, a := range list {
		by[a.JobID] = append(by[a.JobID], a)
	}
	return by, err
}

// FindArtifact returns the artifact of a job that has a file type.
func FindArtifact(ctx context.Context, st *db.Store, jobID int64, fileType string) (Artifact, error) {
	return db.One[Artifact](ctx, st, "", selectArtifacts+` where t.job_id = @job and t.file_type = @type`,
		pgx.NamedArgs{"job": jobID, "type": fileType})
}

// Open returns a reader of the whole artifact, which can seek; the caller closes it.
func (a Artifact) Open(ctx context.Context, st *db.Store) (*blob.Reader, error) {
	return blob.Open(ctx, st, blob.Ref{ID: a.BlobID}, 0)
}

// KeepArtifacts keeps the artifacts of a job for ever, whatever their expiry was.
func KeepArtifacts(ctx context.Context, st *db.Store, jobID int64) error {
	return st.Tx(ctx, func(st *db.Store) error {
		args := pgx.NamedArgs{"job": jobID}
		if err := st.Exec(ctx, `update job_artifacts set expire_at = null where job_id = @job`, args); err != nil {
			return err
		}
		return st.Exec(ctx, `update jobs set (artifacts_expire_at, updated_at) = row(null, now()) where id = @job`, args)
	})
}

// RemoveArtifacts removes artifacts of a job, but not its trace.
func RemoveArtifacts(ctx context.Context, st *db.Store, jobID int64) error {
	return st.Exec(ctx, `delete from job_artifacts where job_id = @job and file_type <> 'trace'`,
		pgx.NamedArgs{"job": jobID})
}

// RemoveTrace removes the trace of a job.
func RemoveTrace(ctx context.Context, st *db.Store, jobID int64) error {
	return st.Tx(ctx, func(st *db.Store) error {
		args := pgx.NamedArgs{"job": jobID}
		err := st.Exec(ctx, `delete from job_artifacts where job_id = @job and file_type = 'trace'`, args)
		if err != nil {
			return err
		}
		if err := st.Exec(ctx, `delete from job_trace_chunks where job_id = @job`, args); err != nil {
			return err
		}
		return st.Exec(ctx, `update jobs set trace_size = 0 where id = @job`, args)
	})
}
