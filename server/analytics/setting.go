package analytics

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// DashboardsProject returns the id of the project whose funnels a project has in place of its own;
// nil: it has its own.
func DashboardsProject(ctx context.Context, st *db.Store, projectID int64) (*int64, error) {
	ids, err := db.Values[int64](ctx, st, `
		select dashboards_project_id from analytics_settings where project_id = @project`,
		pgx.NamedArgs{"project": projectID})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return &ids[0], nil
}

// SetDashboardsProject has a project show the funnels of another one, or its own if the id is nil.
func SetDashboardsProject(ctx context.Context, st *db.Store, projectID int64, from *int64) error {
	args := pgx.NamedArgs{"project": projectID, "from": from}
	if from == nil {
		return st.Exec(ctx, `delete from analytics_settings where project_id = @project`, args)
	}
	return st.Exec(ctx, `
		insert into analytics_settings (project_id, dashboards_project_id) values (@project, @from)
		on conflict (project_id) do update set dashboards_project_id = excluded.dashboards_project_id`, args)
}

// FunnelsOf returns the funnels that a project shows: those of its dashboards project, if it has
// one, and else its own. They are the project's in the answer either way.
func FunnelsOf(ctx context.Context, st *db.Store, p tree.Project) ([]Funnel, error) {
	from, err := DashboardsProject(ctx, st, p.ID)
	if err != nil {
		return nil, err
	}
	source := p
	if from != nil {
		if source, err = tree.FindProject(ctx, st, *from); err != nil {
			return nil, err
		}
	}
	funnels, err := Funnels(ctx, st, source)
	for i := range funnels {
		funnels[i].ProjectID = p.ID
	}
	return funnels, err
}
