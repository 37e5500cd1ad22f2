package store

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// bells rings when something that others remember has changed: in this process right after the commit, in every other
// one by a notification of Postgres a moment later.
type bells struct {
	mu  sync.RWMutex
	ear []func(userID int64)
}

// channel is the one notification channel; its payload is a user id.
const channel = "hewd_users"

// OnUserChange calls do with the id of every user whose state, rights or tokens changed, and with 0 when it may be anybody:
// the application settings changed, or changes may have been missed. It must return quickly.
func (s *Store) OnUserChange(do func(userID int64)) {
	s.bells.mu.Lock()
	defer s.bells.mu.Unlock()
	s.bells.ear = append(s.bells.ear, do)
}

// ring tells this process.
func (b *bells) ring(userID int64) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, do := range b.ear {
		do(userID)
	}
}

// userChanged is called by everything here that changes a user or a token of his.
func (s *Store) userChanged(ctx context.Context, id int64) error {
	s.AfterCommit(func() { s.bells.ring(id) })
	return s.exec(ctx, `select pg_notify(@channel, @id)`, pgx.NamedArgs{"channel": channel, "id": strconv.FormatInt(id, 10)})
}

// Listen passes on the changes that other processes make, until the context ends. A lost connection is replaced;
// whatever was missed meanwhile is made good by ringing for everybody.
func (s *Store) Listen(ctx context.Context) error {
	pool, ok := s.db.(*pgxpool.Pool)
	if !ok {
		return errors.New("listen: only the pool can")
	}
	for ctx.Err() == nil {
		if s.listenOnce(ctx, pool) != nil {
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	}
	return nil
}

func (s *Store) listenOnce(ctx context.Context, pool *pgxpool.Pool) error {
	pooled, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	conn := pooled.Hijack() // a connection that listens must not go back to the pool
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "listen "+channel); err != nil {
		return err
	}
	s.bells.ring(0)
	for {
		note, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		if id, err := strconv.ParseInt(note.Payload, 10, 64); err == nil {
			s.bells.ring(id)
		}
	}
}
