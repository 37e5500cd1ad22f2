package forge

import (
	"context"

	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/store"
)

// How groups and projects end: they are marked, may be restored, and are removed when their day comes or sooner.

// mark marks the thing for deletion. After the days that the settings say, or at once if they say none, it is removed with
// all that is in it.
func (k kind[T]) mark(ctx context.Context, st *store.Store, q *jobs.Queue, id int64, by store.User) error {
	return st.Tx(ctx, func(st *store.Store) error {
		settings, err := st.Settings(ctx)
		if err != nil {
			return err
		}
		_, err = k.edit(ctx, st, id, func(_ *store.Store, thing *T) error {
			end, today := k.end(thing), store.Today()
			if end.MarkedForDeletionOn != nil {
				return fault.BadRequest(k.name + " has been already marked for deletion").In(fault.Text)
			}
			*end = store.Deletion{MarkedForDeletionOn: &today, DeletingUserID: &by.ID}
			return nil
		})
		if err != nil || settings.DeletionAdjournedPeriod > 0 {
			return err
		}
		return q.Enqueue(ctx, st, k.job(id))
	})
}

// restore takes the mark off again.
func (k kind[T]) restore(ctx context.Context, st *store.Store, id int64) (T, error) {
	return k.edit(ctx, st, id, func(_ *store.Store, thing *T) error {
		end := k.end(thing)
		if end.MarkedForDeletionOn == nil {
			return fault.BadRequest(k.name + " has not been marked for deletion").In(fault.Text)
		}
		*end = store.Deletion{}
		return nil
	})
}

// due says why the thing cannot be removed without waiting for its day, if it cannot: it has to be marked, and its full
// path repeated, so that nobody removes another one than he means.
func (k kind[T]) due(thing T, path, said string) error {
	switch {
	case k.end(&thing).MarkedForDeletionOn == nil:
		return fault.BadRequest(k.name + " must be marked for deletion first.").In(fault.Text)
	case path != said:
		return fault.BadRequest("`full_path` is incorrect. You must enter the complete path for the " + k.word + ".").In(fault.Text)
	}
	return nil
}

// hasten removes the thing now, if check, which sees it as it is, has no reason against that.
func (k kind[T]) hasten(ctx context.Context, st *store.Store, q *jobs.Queue, id int64, check func(T) error) error {
	return st.Tx(ctx, func(st *store.Store) error {
		thing, err := k.hold(ctx, st, id)
		if err != nil {
			return err
		}
		if err := check(thing); err != nil {
			return err
		}
		return q.Enqueue(ctx, st, k.job(id))
	})
}
