package work

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// Transactions of this domain lock in one order, or two of them could wait for each other:
//
//  1. rows of issues, those of one statement by id;
//  2. rows of milestones;
//  3. the epics of a root group (lockEpicTree), and after it the rows of epics;
//  4. an order that people make by hand (positions.lock), and the numbers of a project or group.
//
// What has a later lock and needs an earlier one gives it back and begins again (lockInOrder).

// lockEpicTree makes transactions that change epics below the same root as a group wait for each
// other, so that no cycle of parents comes about and no epic gets too deep. The trigger that sets
// the dates of epics takes the same lock.
func lockEpicTree(ctx context.Context, st *db.Store, group int64) error {
	root, err := db.Value[int64](ctx, st, `select traversal_ids[1] from namespaces where id = @id`,
		pgx.NamedArgs{"id": group})
	if err != nil {
		return err
	}
	return st.Exclusively(ctx, "epics of "+db.Container{NamespaceID: &root}.String())
}

// errLockedLess is returned by what needs rows that are not locked.
var errLockedLess = errors.New("more rows have to be locked first")

// rowLocks are the rows of a table that a transaction has locked.
type rowLocks struct {
	table string
	ids   []int64
}

// need returns errLockedLess if one of the rows is not locked; then it is locked the next time.
func (l *rowLocks) need(ids ...int64) error {
	more := Without(ids, l.ids)
	if len(more) == 0 {
		return nil
	}
	l.ids = append(l.ids, more...)
	return errLockedLess
}

// lockInOrder locks the rows, by id, and runs do. If do needs more rows, everything is undone, the
// locks included, and begins again with those.
func lockInOrder(ctx context.Context, st *db.Store, rows rowLocks, do func(st *db.Store, rows *rowLocks) error) error {
	for {
		err := st.Savepoint(ctx, func(st *db.Store) error {
			err := st.Exec(ctx, `select from `+rows.table+` where id = any(@ids) order by id for no key update`,
				pgx.NamedArgs{"ids": rows.ids})
			if err == nil {
				err = st.Locked(ctx)
			}
			if err != nil {
				return err
			}
			return do(st, &rows)
		})
		if !errors.Is(err, errLockedLess) {
			return err
		}
	}
}

// lockWithIssues locks the issues that meet a condition on what they belong to, @of, and then that.
func lockWithIssues(
	ctx context.Context, st *db.Store, condition string, of int64, lock func(st *db.Store) error,
) error {
	issues := func(st *db.Store) ([]int64, error) {
		return idsOf(ctx, st, `select id from issues where `+condition, pgx.NamedArgs{"of": of})
	}
	ids, err := issues(st)
	if err != nil {
		return err
	}
	return lockInOrder(ctx, st, rowLocks{"issues", ids}, func(st *db.Store, rows *rowLocks) error {
		if err := lock(st); err != nil {
			return err
		}
		ids, err := issues(st) // others may have come before the lock
		if err != nil {
			return err
		}
		return rows.need(ids...)
	})
}

// idsOf returns the ids that a query selects.
func idsOf(ctx context.Context, st *db.Store, query string, args pgx.NamedArgs) (ids []int64, err error) {
	list, err := db.Many[struct {
		ID int64 `db:"id"`
	}](ctx, st, query, args)
	for _, row := range list {
		ids = append(ids, row.ID)
	}
	return ids, err
}
