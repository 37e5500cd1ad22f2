package db

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Bells rings when something that others remember has changed: in this process right after the commit, in every other
// one by a notification of Postgres a moment later.
type Bells struct {
	mu  sync.RWMutex
	ear []func(userID int64)
}

// channel is the one notification channel; its payload is a user id.
const channel = "hewd_users"

// OnUserChange calls do with the id of every user whose state, rights or tokens changed, and with 0 when it may be anybody:
// the application settings changed, or changes may have been missed. It must return quickly.
func (s *Store) OnUserChange(do func(userID int64)) {
	s.Bells.mu.Lock()
	defer s.Bells.mu.Unlock()
	s.Bells.ear = append(s.Bells.ear, do)
}

// ring tells this process.
func (b *Bells) ring(userID int64) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, do := range b.ear {
		do(userID)
	}
}

// UserChanged is called by everything here that changes a user or a token of his.
func (s *Store) UserChanged(ctx context.Context, id int64) error {
	s.AfterCommit(func() { s.Bells.ring(id) })
	return s.Exec(ctx, `select pg_notify(@channel, @id)`, pgx.NamedArgs{"channel": channel, "id": strconv.FormatInt(id, 10)})
}

// Listen passes on the changes that other processes make, until the context ends. A lost connection is replaced;
// whatever was missed meanwhile is made good by ringing for everybody.
func (s *Store) Listen(ctx context.Context) error {
	pool, ok := s.Db.(*pgxpool.Pool)
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
	s.Bells.ring(0)
	for {
		note, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		if id, err := strconv.ParseInt(note.Payload, 10, 64); err == nil {
			s.Bells.ring(id)
		}
	}
}
