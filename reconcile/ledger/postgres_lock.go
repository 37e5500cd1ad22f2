package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
)

// tablesKey is the advisory lock under which tables are made.
const tablesKey = 0x686577 // "hew"

// The lock is an advisory one of the session: Postgres frees it when the connection
// ends, however that ends. Its number is made of the ledger's name; who holds it is
// a row beside it, which counts only while the lock is held.
const (
	lockNumber = `hashtextextended('hew ledger ' || @schema || '.' || @name, 0)`
	lockHolder = `select l.pid, coalesce(h.holder::text, '{}')
		from pg_locks l left join hew.locks h on h.ledger = @name
		where l.locktype = 'advisory' and l.granted and l.objsubid = 1
			and l.database = (select oid from pg_database where datname = current_database())
			and (l.classid::bigint << 32) | l.objid::bigint = ` + lockNumber
)

func (d *database) args() pgx.NamedArgs { return pgx.NamedArgs{"schema": d.schema, "name": d.name} }

func (d *database) lock(ctx context.Context, who string) (func() error, error) {
	d.one.Lock()
	defer d.one.Unlock()
	if d.conn != nil {
		return nil, &LockedError{Where: d.where, Holder: newHolder(who)}
	}
	conn, err := d.connect(ctx)
	if err != nil {
		return nil, err
	}
	if err := d.take(ctx, conn, who); err != nil {
		return nil, errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
	}
	d.conn = conn
	return func() error {
		d.one.Lock()
		defer d.one.Unlock()
		d.conn = nil
		ctx := context.WithoutCancel(ctx)
		// The server notices the end of a session in its own time, and whoever comes next is not to wait for that. Where the
		// connection is broken, the lock is free already.
		_, _ = conn.Exec(ctx, `select pg_advisory_unlock(`+lockNumber+`)`, d.args())
		return conn.Close(ctx)
	}, nil
}

// take locks on a connection, or says who did before.
func (d *database) take(ctx context.Context, conn *pgx.Conn, who string) error {
	if err := d.provide(ctx, conn); err != nil {
		return fmt.Errorf("cannot make the tables of the ledger %s: %w", d.where, d.told(err))
	}
	var taken bool
	if err := conn.QueryRow(ctx, `select pg_try_advisory_lock(`+lockNumber+`)`, d.args()).Scan(&taken); err != nil {
		return fmt.Errorf("cannot lock the ledger: %w", d.told(err))
	}
	if !taken {
		pid, holder, err := d.holder(ctx, conn)
		if err != nil {
			return fmt.Errorf("cannot lock the ledger: %w", d.told(err))
		}
		return &LockedError{Where: d.where, Holder: holder, ID: strconv.Itoa(pid)}
	}
	me, err := json.Marshal(newHolder(who))
	if err != nil {
		return err
	}
	args := d.args()
	args["holder"] = string(me)
	_, err = conn.Exec(ctx, d.sql(`insert into hew.locks (ledger, holder) values (@name, @holder)
		on conflict (ledger) do update set holder = excluded.holder`), args)
	return d.told(err)
}

// holder is the session that has the lock, 0 for none, and who that is.
func (d *database) holder(ctx context.Context, conn *pgx.Conn) (pid int, h Holder, err error) {
	var text string
	err = conn.QueryRow(ctx, d.sql(lockHolder), d.args()).Scan(&pid, &text)
	if errors.Is(err, pgx.ErrNoRows) { // it has ended between our two questions
		return 0, Holder{}, nil
	}
	if err != nil {
		return 0, Holder{}, err
	}
	return pid, h, json.Unmarshal([]byte(text), &h)
}

// free ends the session that holds the lock, whose number is the lock's ID.
func (d *database) free(ctx context.Context, id string) error {
	return d.with(ctx, func(conn *pgx.Conn) error {
		pid, _, err := d.holder(ctx, conn)
		switch {
		case err != nil:
			return fmt.Errorf("cannot see who holds the lock: %w", d.told(err))
		case pid == 0:
			return nil
		case id != "" && id != strconv.Itoa(pid):
			return fmt.Errorf("the lock of the ledger %s is %d, and not %s", d.where, pid, id)
		}
		_, err = conn.Exec(ctx, `select pg_terminate_backend($1, 10000)`, pid)
		if err != nil {
			return fmt.Errorf("cannot end the session that holds the lock: %w", d.told(err))
		}
		return nil
	})
}
