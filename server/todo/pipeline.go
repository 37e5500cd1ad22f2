package todo

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/ci"
	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/merge"
	"hew/server/tree"
)

// onPipeline makes a to-do for the author of each open merge request whose last pipeline failed,
// and for the user who wants it merged once that succeeds (more §1). They are done when the
// pipeline is retried, or a later one succeeds.
func onPipeline(ctx context.Context, st *db.Store, e ci.Changed) error {
	now := e.Pipeline.Status
	failed := now == status.Failed
	if e.Before == now || !failed && e.Before != status.Failed && now != status.Success || e.Pipeline.IsChild() {
		return nil
	}
	waiting, err := waitingFor(ctx, st, e.Pipeline)
	if err != nil || len(waiting) == 0 {
		return err
	}
	ids := make([]int64, len(waiting))
	for n, w := range waiting {
		ids[n] = w.ID
	}
	if !failed {
		return st.Exec(ctx, `
			update todos set state = 'done', updated_at = now()
			where merge_request_id = any(@ids) and action = @action and state = 'pending'`,
			pgx.NamedArgs{"ids": ids, "action": BuildFailed})
	}
	requests, err := merge.RequestsByID(ctx, st, ids)
	for _, w := range waiting {
		if err == nil {
			err = aboutRequest(requests[w.ID]).addFailed(ctx, st, e.Pipeline, w)
		}
	}
	return err
}

// waitingRequest is a merge request that waits for a pipeline.
type waitingRequest struct {
	ID       int64  `db:"id"`
	AuthorID *int64 `db:"author_id"`
	ArmedBy  *int64 `db:"auto_merge_user_id"` // who wants it merged once the pipeline succeeds
}

// waitingFor returns the open merge requests that wait for a pipeline, by id: those whose heads it
// is of, unless they have a later one. A pipeline that failed at once may not be their last one
// yet.
func waitingFor(ctx context.Context, st *db.Store, p ci.Pipeline) ([]waitingRequest, error) {
	head := p.Commit
	if !p.SourceHead.IsZero() {
		head = p.SourceHead
	}
	return db.Many[waitingRequest](ctx, st, `
		select m.id, m.author_id, m.auto_merge_user_id from merge_requests m
		where m.state = 'opened' and m.head_oid = @head and coalesce(m.head_pipeline_id, 0) <= @id
			and case when @request::bigint is null
				then m.source_project_id = @project and m.source_branch = @ref and not @tag
				else m.id = @request end
		order by m.id`,
		pgx.NamedArgs{
			"id": p.ID, "head": head, "request": p.MergeRequestID, "project": p.ProjectID, "ref": p.Ref, "tag": p.Tag,
		})
}

// addFailed makes the to-dos of a pipeline that failed. Its user is who causes them.
func (a about) addFailed(ctx context.Context, st *db.Store, p ci.Pipeline, w waitingRequest) error {
	by := w.AuthorID
	if p.UserID != nil {
		by = p.UserID
	}
	users := db.AppendNotNull(nil, w.AuthorID)
	if db.OrZero(w.ArmedBy) != db.OrZero(w.AuthorID) {
		users = db.AppendNotNull(users, w.ArmedBy)
	}
	if by == nil || len(users) == 0 {
		return nil
	}
	user, err := tree.FindUser(ctx, st, *by)
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	return a.add(ctx, st, user, BuildFailed, users)
}
