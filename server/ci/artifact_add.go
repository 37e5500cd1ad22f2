package ci

import (
	"context"
	"io"

	"hew/server/blob"
	"hew/server/db"
)

// AddArtifact stores a file that a job leaves behind: type, format, name and expiry are those of a.
// The store must be bound to the pool, as for blob.Put, which has the same limit.
func AddArtifact(
	ctx context.Context, st *db.Store, j Job, a Artifact, content io.Reader, limit int64,
) (Artifact, error) {
	ref, err := blob.Put(ctx, st, content, limit)
	if err != nil {
		return a, err
	}
	a.ProjectID, a.JobID, a.BlobID, a.Size = j.ProjectID, j.ID, ref.ID, ref.Size
	if _, err := st.Insert(ctx, "job_artifacts", a); err != nil {
		return a, err
	}
	return FindArtifact(ctx, st, j.ID, a.FileType)
}
