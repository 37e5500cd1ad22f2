// Package server puts hewd together: database, jobs, routes, listener; and takes it apart again in order.
package server

import (
	"io"
	"log/slog"
	"time"

	"hew/server/directory"
)

// Config is everything that can be told to hewd. The zero value of a field is its default.
type Config struct {
	Listen      string // host:port (127.0.0.1:8080); port 0 takes a free one
	DatabaseURL string // empty: a private Postgres in the data directory
	DataDir     string // private Postgres and key file (.hewd)
	RootToken   string // the token of user root; empty: made at the first start and printed once
	SecretKey   string // seals stored secrets; empty: a key file in the data directory
	ExternalURL string // what clients call us, without a trailing slash; empty: http:// and the address listened on
	PGBin       string // directory of the Postgres binaries; empty: searched
	Dev         bool   // private Postgres without durability

	LDAP directory.Config // who is in which group; the zero value: nobody knows

	Out   io.Writer     // where the ready line and a new root token go; nil discards them
	Log   *slog.Logger  // nil discards
	Drain time.Duration // how long a stop waits for requests and jobs (30 s)

	NotifySocket string // of the service manager that is told of readiness and of a stop, as systemd's are; empty: nobody is

	Version, Revision string // what GET /version says
}

func (c Config) withDefaults() Config {
	set := func(field *string, value string) {
		if *field == "" {
			*field = value
		}
	}
	set(&c.Listen, "127.0.0.1:8080")
	set(&c.DataDir, ".hewd")
	set(&c.Version, Version)
	set(&c.Revision, Revision())
	if c.Out == nil {
		c.Out = io.Discard
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Drain == 0 {
		c.Drain = 30 * time.Second
	}
	return c
}
