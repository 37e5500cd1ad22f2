package ci

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/setting"
)

// checkSize refuses a child pipeline where the pipelines that came from the same one are as many as
// the plan allows.
func (b *bridge) checkSize(ctx context.Context, st *db.Store) error {
	read, err := setting.ReadPlanLimits(ctx, st, "default")
	if err != nil {
		return err
	}
	most := read.Limits.PipelineHierarchySize
	if most <= 0 {
		return nil
	}
	size, err := db.Value[int64](ctx, st, ancestors+`,
		down as (
			select id from (select id from up order by distance desc limit 1) root
			union all
			select t.id from down d join jobs j on j.pipeline_id = d.id and j.kind = 'bridge'
			join pipelines t on t.upstream_job_id = j.id)
		select count(*) from (select from down limit @most) counted`,
		pgx.NamedArgs{"id": b.upstream.ID, "most": most})
	if err == nil && size >= most {
		err = dropped("reached_max_pipeline_hierarchy_size")
	}
	return err
}
