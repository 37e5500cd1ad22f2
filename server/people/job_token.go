package people

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// JobTokenPrefix is how the token of every job begins.
const JobTokenPrefix = "glcbt-"

// JobToken is the token of a job that runs. It acts for the user who started the job, in the
// project of the job and in those that let it in.
type JobToken struct {
	JobID        int64   `db:"job_id"`
	ProjectID    int64   `db:"project_id"`
	UserID       *int64  `db:"user_id"`       // nil: the user is gone
	NamespaceIDs []int64 `db:"namespace_ids"` // of the project, root first
	Digest       []byte  `db:"digest"`        // the SHA-256 of the token
}

// FindJobToken returns the token of a running job with this digest, or a not-found fault: after the
// job it is worth nothing.
func FindJobToken(ctx context.Context, s *db.Store, digest []byte) (JobToken, error) {
	return db.One[JobToken](ctx, s, "", `
		select j.id as job_id, j.project_id, j.user_id, n.traversal_ids as namespace_ids,
		       j.token_digest as digest
		from jobs j join projects p on p.id = j.project_id join namespaces n on n.id = p.namespace_id
		where j.token_digest = @digest and j.status in ('running', 'canceling')`, pgx.NamedArgs{"digest": digest})
}

// Reaches reports whether the token acts in a project as its user does: in its own one, and in
// those that list its project, or a group that this is in, or that let all in.
func (t JobToken) Reaches(ctx context.Context, s *db.Store, p tree.Project) (bool, error) {
	if t.ProjectID == p.ID || !p.Settings.CIInboundTokenScope {
		return true, nil
	}
	return db.Value[bool](ctx, s, `
		select exists (select from job_token_scopes where project_id = @project
			and (from_project_id = @from or from_group_id = any(@groups)))`,
		pgx.NamedArgs{"project": p.ID, "from": t.ProjectID, "groups": slices.Clone(t.NamespaceIDs)})
}
