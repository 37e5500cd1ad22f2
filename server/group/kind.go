package group

import (
	"context"

	"hew/server/db"
	"hew/server/jobs"
	"hew/server/tree"
)

// Kind is what differs between groups and projects in the acts that they have in common.
type Kind[T any] struct {
	Name string // in sentences about all of them
	Word string // in sentences about one that may be removed at once
	Hold func(context.Context, *db.Store, int64) (T, error)
	Save func(context.Context, *db.Store, T) (T, error)
	End  func(*T) *tree.Deletion
	Job  func(id int64) jobs.Args // removes it
}

var (
	groups = Kind[tree.Group]{
		"Group", "subgroup", func(ctx context.Context, st *db.Store, id int64) (tree.Group, error) {
			return tree.HoldGroup(ctx, st, id)
		}, func(ctx context.Context, st *db.Store, t tree.Group) (tree.Group, error) {
			return UpdateGroup(ctx, st, t)
		},
		func(g *tree.Group) *tree.Deletion { return &g.Deletion },
		func(id int64) jobs.Args { return RemovalJob{ID: id} },
	}
)

// Edit lets change edit the thing as it is stored, while nobody else can, and stores the outcome.
func (k Kind[T]) Edit(ctx context.Context, st *db.Store, id int64, change func(*db.Store, *T) error) (thing T, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if thing, err = k.Hold(ctx, st, id); err != nil {
			return err
		}
		if err := change(st, &thing); err != nil {
			return err
		}
		thing, err = k.Save(ctx, st, thing)
		return err
	})
	return thing, err
}
