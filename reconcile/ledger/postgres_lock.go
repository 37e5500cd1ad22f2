package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
)

// tablesLockKey is the advisory lock under which the tables are created.
const tablesLockKey = 0x686577 // "hew"

// The lock is an advisory lock of the session, so Postgres releases it when the connection ends,
// however that ends. Its key is made of the ledger's name. The holder's row in hew.locks counts
// only while the lock is held.
const (
	lockKey          = `hashtextextended('hew ledger ' || @schema || '.' || @name, 0)`
	selectLockHolder = `select l.pid, coalesce(h.holder::text, '{}')
		from pg_locks l left join hew.locks h on h.ledger = @name
		where l.locktype = 'advisory' and l.granted and l.objsubid = 1
			and l.database = (select oid from pg_database where datname = current_database())
			and (l.classid::bigint << 32) | l.objid::bigint = ` + lockKey
)

func (s *postgresStore) nameArgs() pgx.NamedArgs {
	return pgx.NamedArgs{"schema": s.schema, "name": s.name}
}

func (s *postgresStore) lock(ctx context.Context, who string) (func() error, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lockConn != nil {
		return nil, &LockedError{Where: s.where, Holder: newHolder(who)}
	}
	conn, err := s.connect(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.acquireLock(ctx, conn, who); err != nil {
		return nil, errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
	}
	s.lockConn = conn
	return func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.lockConn = nil
		ctx := context.WithoutCancel(ctx)
		// Without this the lock would last until the server has noticed the end of the session. If
		// the connection is broken, the lock is released already.
		_, _ = conn.Exec(ctx, `select pg_advisory_unlock(`+lockKey+`)`, s.nameArgs())
		return conn.Close(ctx)
	}, nil
}

// acquireLock locks on conn, or fails with a *LockedError.
func (s *postgresStore) acquireLock(ctx context.Context, conn *pgx.Conn, who string) error {
	if err := s.createTables(ctx, conn); err != nil {
		return fmt.Errorf("cannot create the tables of the ledger %s: %w", s.where, s.redactError(err))
	}
	var locked bool
	err := conn.QueryRow(ctx, `select pg_try_advisory_lock(`+lockKey+`)`, s.nameArgs()).Scan(&locked)
	if err != nil {
		return fmt.Errorf("cannot lock the ledger: %w", s.redactError(err))
	}
	if !locked {
		pid, holder, err := s.lockHolder(ctx, conn)
		if err != nil {
			return fmt.Errorf("cannot lock the ledger: %w", s.redactError(err))
		}
		return &LockedError{Where: s.where, Holder: holder, ID: strconv.Itoa(pid)}
	}
	own, err := json.Marshal(newHolder(who))
	if err != nil {
		return err
	}
	args := s.nameArgs()
	args["holder"] = string(own)
	_, err = conn.Exec(ctx, s.withSchema(`insert into hew.locks (ledger, holder) values (@name, @holder)
		on conflict (ledger) do update set holder = excluded.holder`), args)
	return s.redactError(err)
}

// lockHolder returns the server process whose session holds the lock, and who that is. pid is 0 if
// the lock is not held.
func (s *postgresStore) lockHolder(ctx context.Context, conn *pgx.Conn) (pid int, h Holder, err error) {
	var text string
	err = conn.QueryRow(ctx, s.withSchema(selectLockHolder), s.nameArgs()).Scan(&pid, &text)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, Holder{}, nil
	}
	if err != nil {
		return 0, Holder{}, err
	}
	return pid, h, json.Unmarshal([]byte(text), &h)
}

// forceUnlock ends the session that holds the lock. id is the number of its server process.
func (s *postgresStore) forceUnlock(ctx context.Context, id string) error {
	return s.withConn(ctx, func(conn *pgx.Conn) error {
		pid, _, err := s.lockHolder(ctx, conn)
		switch {
		case err != nil:
			return fmt.Errorf("cannot look up the holder of the ledger's lock: %w", s.redactError(err))
		case pid == 0:
			return nil
		case id != "" && id != strconv.Itoa(pid):
			return wrongLockError(s.where, strconv.Itoa(pid), id)
		}
		_, err = conn.Exec(ctx, `select pg_terminate_backend($1, 10000)`, pid)
		if err != nil {
			return fmt.Errorf("cannot end the session that holds the lock of the ledger: %w", s.redactError(err))
		}
		return nil
	})
}
