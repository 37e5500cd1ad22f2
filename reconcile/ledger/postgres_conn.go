package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// with works on the connection that holds the lock, else on one of its own.
func (d *database) with(ctx context.Context, work func(*pgx.Conn) error) error {
	d.one.Lock()
	defer d.one.Unlock()
	if d.conn != nil {
		err := work(d.conn)
		if err != nil && d.conn.IsClosed() {
			return worded{"the connection that held its lock has ended, so another run may have it by now", err}
		}
		return d.told(err)
	}
	conn, err := d.connect(ctx)
	if err != nil {
		return err
	}
	return d.told(errors.Join(work(conn), conn.Close(ctx)))
}

// connect has the server notice within two minutes when this machine is gone.
func (d *database) connect(ctx context.Context) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, d.config)
	if err == nil {
		_, err = conn.Exec(ctx, `set tcp_keepalives_idle = 60; set tcp_keepalives_interval = 20; set tcp_keepalives_count = 3`)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot reach the database of the ledger %s: %w", d.where, d.told(err))
	}
	return conn, nil
}

// worded is an error whose text is ours, for that of pgx may name the url.
type worded struct {
	text string
	error
}

func (w worded) Error() string { return w.text }

func (w worded) Unwrap() error { return w.error }

// told is an error in the words of the server, or in ours where there is none.
func (d *database) told(err error) error {
	var refused *pgconn.PgError
	var connect *pgconn.ConnectError
	switch {
	case errors.As(err, &refused):
		return worded{strings.TrimSpace(refused.Message + " (" + refused.Code + ") " + refused.Hint), err}
	case errors.As(err, &connect):
		return worded{"no connection: is Postgres running there, and does it know this user and password?", err}
	}
	return err
}
