package ci

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/git/object"
	"hew/server/merge"
	"hew/server/policy"
	"hew/server/tree"
)

// PipelineFilter narrows a list of the pipelines of a project; zero fields do not.
type PipelineFilter struct {
	Scope    string // see pipelineScopes
	Status   string
	Source   Source // without one, the list leaves out those that are part of others
	Ref      string
	Commit   *object.ID
	Name     string
	Username string
	Invalid  *bool // whether their definitions have errors

	UpdatedAfter, UpdatedBefore, CreatedAfter, CreatedBefore *time.Time
}

// newestOf is a condition of the newest pipeline of each existing branch, "heads", or tag, "tags".
func newestOf(kind string) string {
	return `t.id in (
		select (select x.id from pipelines x
		        where x.project_id = @project and x.ref = substr(f.name, length('refs/` + kind + `/') + 1)
		          and x.tag = ('` + kind + `' = 'tags') and x.source <> 'parent_pipeline'
		        order by x.id desc limit 1)
		from repositories r join refs f on f.repository_id = r.id
		where r.project_id = @project and r.kind = 'project'
		  and f.name >= 'refs/` + kind + `/' and f.name < 'refs/` + kind + `0')`
}

// pipelineScopes are the words of the API for parts of a list, each with its condition.
var pipelineScopes = map[string]string{
	"running": `t.status = 'running'`, "pending": `t.status = 'pending'`,
	"finished": `t.status in ('success', 'failed', 'canceled')`,
	"branches": newestOf("heads"), "tags": newestOf("tags"),
}

// Where adds the conditions of the filter.
func (f PipelineFilter) Where(w *db.Where) {
	if f.Source == "" {
		w.And(`t.source <> 'parent_pipeline'`)
	} else {
		w.And(`t.source = @source`, f.Source)
	}
	narrows := f.Source != ""
	add := func(asked bool, condition string, value any) {
		w.AndIf(asked, condition, value)
		narrows = narrows || asked
	}
	if f.Scope != "" {
		w.And(pipelineScopes[f.Scope])
		narrows = true
	}
	add(f.Status != "", `t.status = @status`, f.Status)
	add(f.Ref != "", `t.ref = @ref`, f.Ref)
	add(f.Commit != nil, `t.commit_oid = @commit`, f.Commit)
	add(f.Name != "", `t.name = @name`, f.Name)
	add(f.Username != "",
		`t.user_id = (select u.id from users u where lower(u.username) = lower(@username))`, f.Username)
	add(f.UpdatedAfter != nil, `t.updated_at > @updated_after`, f.UpdatedAfter)
	add(f.UpdatedBefore != nil, `t.updated_at < @updated_before`, f.UpdatedBefore)
	add(f.CreatedAfter != nil, `t.created_at > @created_after`, f.CreatedAfter)
	add(f.CreatedBefore != nil, `t.created_at < @created_before`, f.CreatedBefore)
	add(f.Invalid != nil, `(t.yaml_errors is not null) = @invalid`, f.Invalid)
	if narrows {
		w.Selective = "pipelines"
	}
}

// pipelineOrders are the orders of lists of pipelines.
var pipelineOrders = db.Order{
	"id": "t.id", "status": "t.status", "ref": "t.ref", "updated_at": "t.updated_at", "user_id": "t.user_id",
}

// ListPipelines lists pipelines of a project.
func ListPipelines(
	ctx context.Context, st *db.Store, projectID int64, f PipelineFilter, page db.Page,
) ([]Pipeline, int, error) {
	return db.ListChosen[Pipeline](ctx, st, page, pipelineOrders, "t.id", `
		select t.id, t.status, t.ref, t.updated_at, t.user_id from pipelines t`, selectPipelines,
		Pipelines(st, projectID).Where(f.Where))
}

// LatestPipeline returns the newest pipeline of a ref for a commit; a not-found fault if there is
// none. Parts of others do not count.
func LatestPipeline(
	ctx context.Context, st *db.Store, projectID int64, ref string, commit object.ID,
) (Pipeline, error) {
	return db.One[Pipeline](ctx, st, "Pipeline", selectPipelines+`
		where t.project_id = @project and t.ref = @ref and t.commit_oid = @commit and t.source <> 'parent_pipeline'
		order by t.id desc limit 1`, pgx.NamedArgs{"project": projectID, "ref": ref, "commit": commit})
}

// PipelinesByID returns pipelines of any project by their ids.
func PipelinesByID(ctx context.Context, st *db.Store, ids []int64) (map[int64]Pipeline, error) {
	list, err := db.Many[Pipeline](ctx, st, selectPipelines+` where t.id = any(@ids)`, pgx.NamedArgs{"ids": ids})
	byID := make(map[int64]Pipeline, len(list))
	for _, p := range list {
		byID[p.ID] = p
	}
	return byID, err
}

// openPipelines is the condition that a project p lets all who see it read its pipelines.
const openPipelines = `coalesce((p.settings ->> 'public_jobs')::boolean, true)
	and coalesce(p.settings ->> 'builds_access_level', 'enabled') = 'enabled'
	and coalesce(p.settings ->> 'repository_access_level', 'enabled') = 'enabled'`

// DownstreamOf returns the pipelines that jobs started, by the id of the job: those of the same
// project, and of others whose pipelines the viewer may read. Open is the least visibility of
// projects that the viewer sees without being a member.
func DownstreamOf(
	ctx context.Context, st *db.Store, jobIDs []int64, v tree.Viewer, open db.Visibility,
) (map[int64]Pipeline, error) {
	list, err := db.Many[Pipeline](ctx, st, selectPipelines+` where t.upstream_job_id = any(@jobs) and (@all
			or t.project_id = (select j.project_id from jobs j where j.id = t.upstream_job_id)
			or p.visibility >= @open and `+openPipelines+`
			or (select `+tree.LevelInProject+` from namespaces n where n.id = p.namespace_id) >= @reporter)
		order by t.id`, pgx.NamedArgs{
		"jobs": jobIDs, "open": open, "all": v.All, "user": v.UserID, "reporter": int(policy.Reporter),
	})
	byJob := make(map[int64]Pipeline, len(list))
	for _, p := range list {
		byJob[*p.UpstreamJobID] = p
	}
	return byJob, err
}

// OfRequest returns the condition of pipelines for a merge request, or for the source branch and a
// commit that a version of it had.
func OfRequest(r merge.Request) db.Condition {
	return func(w *db.Where) {
		w.And(`t.merge_request_id = @request or t.merge_request_id is null and t.ref = @branch and not t.tag
			and t.source <> 'parent_pipeline' and t.commit_oid in (
				select c.commit_oid from merge_request_commits c where c.merge_request_id = @request)`,
			r.ID, r.SourceBranch)
	}
}
