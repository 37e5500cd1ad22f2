package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// withConn calls work with the connection that holds the lock, or else with a new one.
func (s *postgresStore) withConn(ctx context.Context, work func(*pgx.Conn) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lockConn != nil {
		err := work(s.lockConn)
		if err != nil && s.lockConn.IsClosed() {
			return redactedError{"the database connection that held the lock of the ledger was closed, " +
				"so another run may have locked it since", err}
		}
		return s.redactError(err)
	}
	conn, err := s.connect(ctx)
	if err != nil {
		return err
	}
	return s.redactError(errors.Join(work(conn), conn.Close(ctx)))
}

// connect opens a connection. The keepalives end it, and with it the lock, within two minutes after
// this machine is gone.
func (s *postgresStore) connect(ctx context.Context) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, s.config)
	if err == nil {
		_, err = conn.Exec(ctx,
			`set tcp_keepalives_idle = 60; set tcp_keepalives_interval = 20; set tcp_keepalives_count = 3`)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot connect to the database of the ledger %s: %w", s.where, s.redactError(err))
	}
	return conn, nil
}

// redactedError is an error with a text of our own, because the text of pgx may hold the URL.
type redactedError struct {
	text string
	error
}

func (r redactedError) Error() string { return r.text }

func (r redactedError) Unwrap() error { return r.error }

// redactError gives an error the server's words, or ours if the server was not reached.
func (s *postgresStore) redactError(err error) error {
	var refused *pgconn.PgError
	var connect *pgconn.ConnectError
	switch {
	case errors.As(err, &refused):
		return redactedError{strings.TrimSpace(refused.Message + " (" + refused.Code + ") " + refused.Hint), err}
	case errors.As(err, &connect):
		return redactedError{"the connection failed. Check that PostgreSQL is running there, and accepts this user " +
			"and password", err}
	}
	return err
}
