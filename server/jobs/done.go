package jobs

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// ErrDone is the error of a try of a job whose work an earlier try has done.
var ErrDone = errors.New("an earlier try of the job has done its work")

// idKey is the key in the context of a job for its id, an int64.
type idKey struct{}

// Done records that the job of the context is done, in the transaction of h, which does its work.
// It returns ErrDone if an earlier try has recorded that: its process was killed before the queue
// knew. It is for work whose rows do not show that it was done. Outside a job it does nothing.
func Done(ctx context.Context, h *db.Store) error {
	id, ok := ctx.Value(idKey{}).(int64)
	if !ok {
		return nil
	}
	n, err := h.Affected(ctx, `
		update river_job set metadata = metadata || '{"done": true}' where id = @id and not metadata ? 'done'`,
		pgx.NamedArgs{"id": id})
	if err == nil && n == 0 {
		err = ErrDone
	}
	return err
}
