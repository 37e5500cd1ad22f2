package forge

import (
	"context"

	"hew/server/jobs"
	"hew/server/store"
)

// kind is what differs between groups and projects in the acts that they have in common.
type kind[T any] struct {
	name string // in sentences about all of them
	word string // in sentences about one that may be removed at once
	hold func(context.Context, *store.Store, int64) (T, error)
	save func(context.Context, *store.Store, T) (T, error)
	end  func(*T) *store.Deletion
	job  func(id int64) jobs.Args // removes it
}

var (
	groups = kind[store.Group]{
		"Group", "subgroup", func(ctx context.Context, st *store.Store, id int64) (store.Group, error) {
			return st.HoldGroup(ctx, id)
		}, func(ctx context.Context, st *store.Store, t store.Group) (store.Group, error) {
			return st.UpdateGroup(ctx, t)
		},
		func(g *store.Group) *store.Deletion { return &g.Deletion },
		func(id int64) jobs.Args { return jobs.RemoveGroup{ID: id} },
	}
	projects = kind[store.Project]{
		"Project", "project", func(ctx context.Context, st *store.Store, id int64) (store.Project, error) {
			return st.HoldProject(ctx, id)
		}, func(ctx context.Context, st *store.Store, t store.Project) (store.Project, error) {
			return st.UpdateProject(ctx, t)
		},
		func(p *store.Project) *store.Deletion { return &p.Deletion },
		func(id int64) jobs.Args { return jobs.RemoveProject{ID: id} },
	}
)

// edit lets change edit the thing as it is stored, while nobody else can, and stores the outcome.
func (k kind[T]) edit(ctx context.Context, st *store.Store, id int64, change func(*store.Store, *T) error) (thing T, err error) {
	err = st.Tx(ctx, func(st *store.Store) error {
		if thing, err = k.hold(ctx, st, id); err != nil {
			return err
		}
		if err := change(st, &thing); err != nil {
			return err
		}
		thing, err = k.save(ctx, st, thing)
		return err
	})
	return thing, err
}
