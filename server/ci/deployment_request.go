package ci

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/jobs"
	"hew/server/tree"
)

// linkDeployed asks to find the merge requests that a deployment brought to its environment.
type linkDeployed struct {
	ProjectID int64 `json:"project_id"`
	ID        int64 `json:"deployment_id"`
}

// Kind implements jobs.Args.
func (linkDeployed) Kind() string { return "link_deployed_merge_requests" }

// onDeployed has the merge requests found of a deployment that succeeded.
func onDeployed(ctx context.Context, st *db.Store, e Deployed) error {
	over, err := db.Value[bool](ctx, st, `
		select exists (select from deployments where id = @id and status = 'success')`, pgx.NamedArgs{"id": e.ID})
	if err != nil || !over {
		return err
	}
	return jobs.Enqueue(ctx, st, linkDeployed(e))
}

// maxDeployed is of how many commits of a deployment the merge requests are found, newest first.
const maxDeployed = 10_000

// linkRequests stores the merge requests that a deployment brought to its environment: those whose
// merge it has and the successful deployment before has not. The first one brought all that were
// merged to its branch.
func linkRequests(ctx context.Context, st *db.Store, task linkDeployed) error {
	d, err := Deployments(st, task.ProjectID).One(ctx, db.ByID(task.ID))
	if err != nil || d.Status != "success" {
		return fault.IgnoreNotFound(err)
	}
	args := pgx.NamedArgs{"id": d.ID, "project": d.ProjectID, "environment": d.EnvironmentID, "ref": d.Ref,
		"at": d.FinishedAt}
	before, err := db.Values[object.ID](ctx, st, `
		select commit_oid from deployments
		where environment_id = @environment and status = 'success' and id < @id order by id desc limit 1`, args)
	if err != nil {
		return err
	}
	if len(before) == 0 {
		return st.Exec(ctx, `
			insert into deployment_merge_requests (merge_request_id, deployment_id)
			select t.id, @id from merge_requests t
			where t.project_id = @project and t.target_branch = @ref and t.state = 'merged' and t.merged_at <= @at
			on conflict on constraint deployment_merge_requests_pkey do nothing`, args)
	}
	args["commits"], err = deployedSince(ctx, st, d, before[0])
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	return st.Exec(ctx, `
		insert into deployment_merge_requests (merge_request_id, deployment_id)
		select distinct t.id, @id::bigint
		from merge_request_commits c join merge_requests t on t.id = c.merge_request_id
		where c.commit_oid = any(@commits::bytea[]) and t.project_id = @project and t.state = 'merged'
			and c.commit_oid in (t.merge_commit_oid, t.squash_commit_oid, t.merged_oid)
		on conflict on constraint deployment_merge_requests_pkey do nothing`, args)
}

// deployedSince returns the commits that a deployment has and the one before has not.
func deployedSince(ctx context.Context, st *db.Store, d Deployment, before object.ID) ([][]byte, error) {
	p, err := tree.FindProject(ctx, st, d.ProjectID)
	if err != nil {
		return nil, err
	}
	g, err := code.Open(ctx, st, p)
	if err != nil {
		return nil, err
	}
	if _, err := g.FindCommit(ctx, "Commit", before); err != nil {
		return nil, err
	}
	list, err := g.Log(ctx, code.LogFilter{
		From: []object.ID{d.Commit}, Not: []object.ID{before}, Limit: maxDeployed,
	})
	ids := make([][]byte, len(list))
	for n, c := range list {
		ids[n] = c.ID[:]
	}
	return ids, err
}
