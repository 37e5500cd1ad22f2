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
	hold func(*store.Store, context.Context, int64) (T, error)
	save func(*store.Store, context.Context, T) (T, error)
	end  func(*T) *store.Deletion
	job  func(id int64) jobs.Args // removes it
}

var (
	groups = kind[store.Group]{
		"Group", "subgroup", (*store.Store).HoldGroup, (*store.Store).UpdateGroup,
		func(g *store.Group) *store.Deletion { return &g.Deletion },
		func(id int64) jobs.Args { return jobs.RemoveGroup{ID: id} },
	}
	projects = kind[store.Project]{
		"Project", "project", (*store.Store).HoldProject, (*store.Store).UpdateProject,
		func(p *store.Project) *store.Deletion { return &p.Deletion },
		func(id int64) jobs.Args { return jobs.RemoveProject{ID: id} },
	}
)

// edit lets change edit the thing as it is stored, while nobody else can, and stores the outcome.
func (k kind[T]) edit(ctx context.Context, st *store.Store, id int64, change func(*store.Store, *T) error) (thing T, err error) {
	err = st.Tx(ctx, func(st *store.Store) error {
		if thing, err = k.hold(st, ctx, id); err != nil {
			return err
		}
		if err := change(st, &thing); err != nil {
			return err
		}
		thing, err = k.save(st, ctx, thing)
		return err
	})
	return thing, err
}
