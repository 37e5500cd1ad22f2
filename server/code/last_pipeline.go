package code

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
)

// LastPipeline is the newest pipeline of a commit, as far as commits show it. Pipelines belong to
// package ci, which imports this one.
type LastPipeline struct {
	ID        int64     `db:"id"`
	IID       int       `db:"iid"`
	ProjectID int64     `db:"project_id"`
	Commit    object.ID `db:"commit_oid"`
	Ref       string    `db:"ref"`
	Status    string    `db:"status"`
	Source    string    `db:"source"`
	CreatedAt time.Time `db:"created_at"`
	UpdatedAt time.Time `db:"updated_at"`
}

// FindLastPipeline returns the newest pipeline of a project for a commit; nil if there is none.
// Those that are part of others do not count.
func FindLastPipeline(
	ctx context.Context, st *db.Store, projectID int64, commit object.ID,
) (*LastPipeline, error) {
	p, err := db.One[LastPipeline](ctx, st, "Pipeline", `
		select id, iid, project_id, commit_oid, ref, status, source, created_at, updated_at from pipelines
		where project_id = @project and commit_oid = @commit and source <> 'parent_pipeline'
		order by id desc limit 1`, pgx.NamedArgs{"project": projectID, "commit": commit})
	if err != nil {
		return nil, fault.IgnoreNotFound(err)
	}
	return &p, nil
}
