package ci

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/jobs"
)

// ResourceGroup is a resource that jobs share. Only one of its jobs runs at a time.
type ResourceGroup struct {
	ID          int64     `db:"id,auto" json:"id"`
	ProjectID   int64     `db:"project_id" json:"-"`
	Key         string    `db:"key" json:"key"`
	ProcessMode string    `db:"process_mode" json:"process_mode"` // of resourceModes
	CreatedAt   time.Time `db:"created_at,auto" json:"created_at"`
	UpdatedAt   time.Time `db:"updated_at,auto" json:"updated_at"`
}

// ResourceGroups returns the resource groups of a project.
func ResourceGroups(s *db.Store, projectID int64) db.Held[ResourceGroup] {
	h := db.NewHeld[ResourceGroup](s, db.Container{ProjectID: &projectID}, "resource_groups")
	h.What = "Resource Group"
	return h
}

// WithKey returns the condition of the resource group of a key.
func WithKey(key string) db.Condition { return func(w *db.Where) { w.And(`t.key = @key`, key) } }

// ProvideResourceGroup returns the resource group of a project with a key, and makes it if there is
// none.
func ProvideResourceGroup(ctx context.Context, st *db.Store, projectID int64, key string) (ResourceGroup, error) {
	if err := st.Exec(ctx, `
		insert into resource_groups (project_id, key) values (@project, @key) on conflict (project_id, key) do nothing`,
		pgx.NamedArgs{"project": projectID, "key": key}); err != nil {
		return ResourceGroup{}, err
	}
	return ResourceGroups(st, projectID).One(ctx, WithKey(key))
}

// ChangeResourceGroup gives a resource group another mode, in which the next job is chosen.
func ChangeResourceGroup(ctx context.Context, st *db.Store, projectID int64, key, mode string) (ResourceGroup, error) {
	edit := func(st *db.Store, g *ResourceGroup) error {
		if mode != "" {
			g.ProcessMode = mode
		}
		return jobs.Enqueue(ctx, st, assignResource{GroupID: g.ID})
	}
	return ResourceGroups(st, projectID).Change(ctx, WithKey(key), edit)
}

// Upcoming returns the jobs that wait for a resource group, or will in a mode that waits for them,
// the next one first.
func (g ResourceGroup) Upcoming(ctx context.Context, s *db.Store, p db.Page) ([]Job, int, error) {
	w := db.NewWhere(pgx.NamedArgs{"group": g.ID})
	w.And(`t.resource_group_id = @group`)
	mode := resourceModes[g.ProcessMode]
	w.And(`t.status = any(@upcoming) and not t.retried`, mode.upcoming())
	p.Order, p.Desc = "next", false
	return db.List[Job](ctx, s, p, db.Order{"next": mode.order}, "t.id", selectJobs, w)
}
