package merge

import (
	"context"

	"hew/server/db"
	"hew/server/tree"
	"hew/server/work"
)

// SpendTime adds time to a merge request, or takes it back, and returns the merge request.
func SpendTime(
	ctx context.Context, st *db.Store, p tree.Project, by tree.User, id int64, t work.Spent,
) (r Request, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		r, err = Change(ctx, st, p, by, id, func(st *db.Store, r *Request) error {
			return t.Add(ctx, st, r.Target(), by, &r.TimeSpent)
		})
		if err != nil {
			return err
		}
		return t.Note(ctx, st, r.Target(), by)
	})
	return r, err
}

// ResetTimeSpent forgets all time that was spent on a merge request, and returns it.
func ResetTimeSpent(ctx context.Context, st *db.Store, p tree.Project, by tree.User, id int64) (r Request, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		had := false
		r, err = Change(ctx, st, p, by, id, func(st *db.Store, r *Request) error {
			had = r.TimeSpent != 0
			return work.ForgetTime(ctx, st, r.Target(), &r.TimeSpent)
		})
		if err != nil || !had {
			return err
		}
		return work.NoteForgotten(ctx, st, r.Target(), by)
	})
	return r, err
}
