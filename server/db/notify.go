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

// notifier calls its listeners when something happened that concerns every process that has the
// database: a notification of Postgres tells each of them, a moment after the commit.
type notifier struct {
	mu        sync.RWMutex
	listeners map[Channel][]func(payload string)
}

// Channel is what a notification is about. All of them come by one connection of a process.
type Channel string

// The channels, and what their payloads are.
const (
	userChannel  Channel = "hewd_users"  // a user id; 0: anybody
	WaitingJobs  Channel = "hewd_jobs"   // the id of a pipeline with jobs that wait for a runner
	ReadTraces   Channel = "hewd_traces" // the id of a job whose trace somebody reads
	missedNotice         = ""            // the payload when notifications may have been missed
	relistenWait         = time.Second   // before a lost connection is replaced
)

// OnNotification calls do with the payload of every notification, and with "" when some may have
// been missed. It must return quickly.
func (s *Store) OnNotification(c Channel, do func(payload string)) {
	s.notifier.mu.Lock()
	defer s.notifier.mu.Unlock()
	if s.notifier.listeners == nil {
		s.notifier.listeners = map[Channel][]func(string){}
	}
	s.notifier.listeners[c] = append(s.notifier.listeners[c], do)
}

// Notify notifies the listeners of all processes after the commit.
func (s *Store) Notify(ctx context.Context, c Channel, payload string) error {
	return s.Exec(ctx, `select pg_notify(@channel, @payload)`,
		pgx.NamedArgs{"channel": string(c), "payload": payload})
}

// tell calls the listeners of this process.
func (n *notifier) tell(c Channel, payload string) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	for _, do := range n.listeners[c] {
		do(payload)
	}
}

// OnUserChange calls do with the id of every user whose state, rights or tokens changed, and with 0
// when it may be anybody: the application settings changed, or changes may have been missed. It
// must return quickly.
func (s *Store) OnUserChange(do func(userID int64)) {
	s.OnNotification(userChannel, func(payload string) {
		if id, err := strconv.ParseInt(payload, 10, 64); err == nil || payload == missedNotice {
			do(id)
		}
	})
}

// UserChanged must be called by whatever changes a user or a token of one. In this process the
// change counts right after the commit.
func (s *Store) UserChanged(ctx context.Context, id int64) error {
	payload := strconv.FormatInt(id, 10)
	s.AfterCommit(func() { s.notifier.tell(userChannel, payload) })
	return s.Notify(ctx, userChannel, payload)
}

// Listen passes on the notifications of all processes, until the context ends. A lost connection is
// replaced, and the listeners are then told that they may have missed some.
func (s *Store) Listen(ctx context.Context) error {
	pool, ok := s.conn.(*pgxpool.Pool)
	if !ok {
		return errors.New("listen: only a store that is bound to the pool can")
	}
	for ctx.Err() == nil {
		if s.listenOnce(ctx, pool) != nil {
			select {
			case <-ctx.Done():
			case <-time.After(relistenWait):
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
	channels := []Channel{userChannel, WaitingJobs, ReadTraces}
	for _, c := range channels {
		if _, err := conn.Exec(ctx, "listen "+string(c)); err != nil {
			return err
		}
	}
	for _, c := range channels {
		s.notifier.tell(c, missedNotice)
	}
	for {
		note, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		s.notifier.tell(Channel(note.Channel), note.Payload)
	}
}
