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

// notifier calls its listeners when something that others cache has changed: in this process right
// after the commit, in every other one on a notification of Postgres a moment later.
type notifier struct {
	mu        sync.RWMutex
	listeners []func(userID int64)
}

// channel is the one notification channel; its payload is a user id.
const channel = "hewd_users"

// OnUserChange calls do with the id of every user whose state, rights or tokens changed, and with 0
// when it may be anybody: the application settings changed, or changes may have been missed. It
// must return quickly.
func (s *Store) OnUserChange(do func(userID int64)) {
	s.notifier.mu.Lock()
	defer s.notifier.mu.Unlock()
	s.notifier.listeners = append(s.notifier.listeners, do)
}

// notify calls the listeners of this process.
func (n *notifier) notify(userID int64) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	for _, do := range n.listeners {
		do(userID)
	}
}

// UserChanged must be called by whatever changes a user or a token of one.
func (s *Store) UserChanged(ctx context.Context, id int64) error {
	s.AfterCommit(func() { s.notifier.notify(id) })
	return s.Exec(ctx, `select pg_notify(@channel,
		@id)`, pgx.NamedArgs{"channel": channel, "id": strconv.FormatInt(id, 10)})
}

// Listen passes on the changes that other processes make, until the context ends. A lost connection
// is replaced, and the listeners are then called with 0, since changes may have been missed.
func (s *Store) Listen(ctx context.Context) error {
	pool, ok := s.conn.(*pgxpool.Pool)
	if !ok {
		return errors.New("listen: only a store that is bound to the pool can")
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
	s.notifier.notify(0)
	for {
		note, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		if id, err := strconv.ParseInt(note.Payload, 10, 64); err == nil {
			s.notifier.notify(id)
		}
	}
}
