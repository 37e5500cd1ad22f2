package group

import (
	"context"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/setting"
	"hew/server/tree"
)

// How groups and projects end: they are marked, may be restored, and are removed when their day comes or sooner.

// Mark marks the thing for deletion. After the days that the settings say, or at once if they say none, it is removed with
// all that is in it.
func (k Kind[T]) Mark(ctx context.Context, st *db.Store, id int64, by tree.User) error {
	return st.Tx(ctx, func(st *db.Store) error {
		settings, err := setting.Read(ctx, st)
		if err != nil {
			return err
		}
		_, err = k.Edit(ctx, st, id, func(_ *db.Store, thing *T) error {
			end, today := k.End(thing), db.Today()
			if end.MarkedForDeletionOn != nil {
				return fault.BadRequest(k.Name + " has been already marked for deletion").In(fault.Text)
			}
			*end = tree.Deletion{MarkedForDeletionOn: &today, DeletingUserID: &by.ID}
			return nil
		})
		if err != nil || settings.DeletionAdjournedPeriod > 0 {
			return err
		}
		return jobs.Enqueue(ctx, st, k.Job(id))
	})
}

// Restore takes the mark off again.
func (k Kind[T]) Restore(ctx context.Context, st *db.Store, id int64) (T, error) {
	return k.Edit(ctx, st, id, func(_ *db.Store, thing *T) error {
		end := k.End(thing)
		if end.MarkedForDeletionOn == nil {
			return fault.BadRequest(k.Name + " has not been marked for deletion").In(fault.Text)
		}
		*end = tree.Deletion{}
		return nil
	})
}

// Due says why the thing cannot be removed without waiting for its day, if it cannot: it has to be marked, and its full
// path repeated, so that nobody removes another one than he means.
func (k Kind[T]) Due(thing T, path, said string) error {
	switch {
	case k.End(&thing).MarkedForDeletionOn == nil:
		return fault.BadRequest(k.Name + " must be marked for deletion first.").In(fault.Text)
	case path != said:
		return fault.BadRequest("`full_path` is incorrect. You must enter the complete path for the " + k.Word + ".").In(fault.Text)
	}
	return nil
}

// Hasten removes the thing now, if check, which sees it as it is, has no reason against that.
func (k Kind[T]) Hasten(ctx context.Context, st *db.Store, id int64, check func(T) error) error {
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
