package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// processLock is the first key of the advisory locks of processes; the number has no meaning.
const processLock = 1_752_393_572

// reconnectAfter is the pause before a process whose connection broke gets another number.
const reconnectAfter = time.Second

// Process returns the number of this process, nil if it has none at the moment. What a process
// works on names the number: it is dead as soon as IsDead says so, and not only when it has been
// silent for long. Its work still needs a count of attempts in each transaction: the connection of
// a process can break while the process goes on.
func Process(h *db.Store) *int32 {
	q, ok := h.Attached(queueKey{}).(*Queue)
	if !ok {
		return nil
	}
	return q.process.Load()
}

// IsDead returns a condition in SQL: the process in a column has ended, or lost its connection. It
// is not true of null.
func IsDead(column string) string {
	return fmt.Sprintf(`(%[1]s is not null and not exists (
		select from pg_locks where locktype = 'advisory' and objsubid = 2 and classid = %[2]d and objid::bigint = %[1]s
		and database = (select oid from pg_database where datname = current_database())))`, column, processLock)
}

// beProcess gives this process a number, and holds its lock on a connection of its own until the
// context ends. It calls ready once, as soon as the process has the number or cannot have one.
func (q *Queue) beProcess(ctx context.Context, ready func(error)) {
	for {
		err := q.holdNumber(ctx, func() { ready(nil) })
		ready(err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(reconnectAfter):
		}
	}
}

// holdNumber returns when the connection breaks or the context ends.
func (q *Queue) holdNumber(ctx context.Context, held func()) error {
	pooled, err := q.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	c := pooled.Hijack()
	defer c.Close(context.WithoutCancel(ctx))
	var n int32
	for isFree := false; !isFree; { // the sequence may have begun again while others have its first numbers
		err := c.QueryRow(ctx, `
			select n, pg_try_advisory_lock(@lock, n) from (select nextval('process_numbers')::integer as n offset 0) p`,
			pgx.NamedArgs{"lock": processLock}).Scan(&n, &isFree)
		if err != nil {
			return err
		}
	}
	q.process.Store(&n)
	defer q.process.Store(nil)
	held()
	_, err = c.WaitForNotification(ctx) // there is none
	return err
}
