package note

import (
	"context"
	"time"

	"hew/server/db"
	"hew/server/event"
	"hew/server/tree"
)

// Change gives a note of a target another body, and returns it.
func Change(ctx context.Context, st *db.Store, on Target, by tree.User, id int64, body string) (n Note, err error) {
	if err := CheckBody(body); err != nil {
		return n, err
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		var before Note
		n, err = Notes(st, on, Reader{Internal: true}).Change(ctx, db.ByID(id), func(_ *db.Store, n *Note) error {
			before = *n
			if n.Body != body {
				n.LastEditedAt, n.LastEditedByID = new(time.Now().Truncate(time.Millisecond)), &by.ID
			}
			n.Body = body
			return nil
		})
		if err != nil {
			return err
		}
		if err := StoreMentions(ctx, st, on, id, body); err != nil {
			return err
		}
		if err := event.Emit(ctx, st, Changed{Target: on, Before: before, Note: n, By: by}); err != nil {
			return err
		}
		if on.Kind == MergeRequest && n.Position != nil { // a listener has stored its suggestions
			n, err = Notes(st, on, Reader{Internal: true}).One(ctx, db.ByID(id))
		}
		return err
	})
	return n, err
}

// Delete deletes a note of a target. It calls unless with the time of the last change, and deletes
// nothing if that returns an error.
func Delete(
	ctx context.Context, st *db.Store, on Target, by tree.User, n Note,
	unless func(ctx context.Context, changed time.Time) error,
) error {
	return st.Tx(ctx, func(st *db.Store) error {
		if err := event.Emit(ctx, st, Deleted{Target: on, Note: n, By: by}); err != nil {
			return err
		}
		return Notes(st, on, Reader{Internal: true}).Delete(ctx, db.ByID(n.ID), unless)
	})
}
