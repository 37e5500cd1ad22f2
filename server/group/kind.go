package group

import (
	"context"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/setting"
	"hew/server/tree"
)

// Kind is how groups and projects differ where they are edited, marked for deletion and removed.
type Kind[T any] struct {
	Name     string                                             // in sentences about all of them
	Noun     string                                             // in sentences about one that may be removed at once
	Hold     func(context.Context, *db.Store, int64) (T, error) // reads and locks it
	Save     func(context.Context, *db.Store, T) (T, error)
	Deletion func(*T) *tree.Deletion
	Job      func(id int64) jobs.Args // removes it
}

var groups = Kind[tree.Group]{
	Name: "Group", Noun: "subgroup", Hold: tree.HoldGroup, Save: UpdateGroup,
	Deletion: func(g *tree.Group) *tree.Deletion { return &g.Deletion },
	Job:      func(id int64) jobs.Args { return RemovalJob{ID: id} },
}

// Edit locks the group or project, applies change, and stores the outcome.
func (k Kind[T]) Edit(
	ctx context.Context, st *db.Store, id int64, change func(*db.Store, *T) error,
) (thing T, err error) {
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

// MarkForDeletion marks the group or project for deletion. It is removed with all that is in it
// after the days that the settings say, or at once if they say none.
func (k Kind[T]) MarkForDeletion(ctx context.Context, st *db.Store, id int64, by tree.User) error {
	return st.Tx(ctx, func(st *db.Store) error {
		settings, err := setting.Read(ctx, st)
		if err != nil {
			return err
		}
		_, err = k.Edit(ctx, st, id, func(_ *db.Store, thing *T) error {
			mark, today := k.Deletion(thing), db.Today()
			if mark.MarkedForDeletionOn != nil {
				return fault.BadRequest(k.Name + " has been already marked for deletion").In(fault.Text)
			}
			*mark = tree.Deletion{MarkedForDeletionOn: &today, DeletingUserID: &by.ID}
			return nil
		})
		if err != nil || settings.DeletionAdjournedPeriod > 0 {
			return err
		}
		return jobs.Enqueue(ctx, st, k.Job(id))
	})
}

// Restore removes the mark for deletion.
func (k Kind[T]) Restore(ctx context.Context, st *db.Store, id int64) (T, error) {
	return k.Edit(ctx, st, id, func(_ *db.Store, thing *T) error {
		mark := k.Deletion(thing)
		if mark.MarkedForDeletionOn == nil {
			return fault.BadRequest(k.Name + " has not been marked for deletion").In(fault.Text)
		}
		*mark = tree.Deletion{}
		return nil
	})
}

// CheckRemovable returns a fault unless the group or project is marked for deletion and said
// repeats its full path, so that nobody removes another one by mistake.
func (k Kind[T]) CheckRemovable(thing T, path, said string) error {
	switch {
	case k.Deletion(&thing).MarkedForDeletionOn == nil:
		return fault.BadRequest(k.Name + " must be marked for deletion first.").In(fault.Text)
	case path != said:
		return fault.BadRequest("`full_path` is incorrect. You must enter the complete path for the " + k.Noun + ".").
			In(fault.Text)
	}
	return nil
}

// RemoveNow enqueues the removal if check, which gets the stored group or project, allows it.
func (k Kind[T]) RemoveNow(ctx context.Context, st *db.Store, id int64, check func(T) error) error {
	return st.Tx(ctx, func(st *db.Store) error {
		thing, err := k.Hold(ctx, st, id)
		if err != nil {
			return err
		}
		if err := check(thing); err != nil {
			return err
		}
		return jobs.Enqueue(ctx, st, k.Job(id))
	})
}
