package merge

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// UpdateHeadPipelines makes the open merge requests from a branch, or the one with an id if that is
// not zero, wait for the last pipeline of their heads: one for the merge request itself, or else
// one for the branch.
func UpdateHeadPipelines(ctx context.Context, st *db.Store, source int64, branch string, id int64) error {
	return st.Exec(ctx, `
		update merge_requests t set head_pipeline_id = n.id
		from merge_requests m cross join lateral (
			select p.id from pipelines p
			where (p.merge_request_id = m.id or p.project_id = m.source_project_id and p.ref = m.source_branch
					and not p.tag and p.merge_request_id is null)
				and coalesce(p.source_oid, p.commit_oid) = m.head_oid and p.source <> 'parent_pipeline'
			order by p.merge_request_id is null, p.id desc limit 1) n
		where m.id = t.id and m.state = 'opened' and m.head_pipeline_id is distinct from n.id
			and case when @id = 0 then m.source_project_id = @source and m.source_branch = @branch else m.id = @id end`,
		pgx.NamedArgs{"source": source, "branch": branch, "id": id})
}
