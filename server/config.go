// Package server puts hewd together: database, jobs, routes and listener. It stops them in the
// opposite order.
package server

import (
	"cmp"
	"io"
	"log/slog"
	"path/filepath"
	"time"

	"hew/server/blob"
	"hew/server/directory"
	"hew/server/outbound"
)

// Config holds every setting of hewd. The zero value of a field is its default, given in
// parentheses.
type Config struct {
	Listen      string // host:port (127.0.0.1:8080); port 0 picks a free one
	DatabaseURL string // Postgres to use (a private one in DataDir)
	DataDir     string // directory of the private Postgres and the key file (.hewd)
	CacheDir    string // directory of copies of repositories, made again at each start (cache in DataDir)
	Git         string // the git program (the first one in PATH)
	RootToken   string // token of user root (created at the first start and printed once)
	SecretKey   string // seals stored secrets (a key file in DataDir)
	ExternalURL string // address that clients use (http:// and the address listened on)
	PGBin       string // directory of the Postgres binaries (see cluster.FindBin)
	Dev         bool   // run the private Postgres without durability

	// TrustedProxies are the networks of reverse proxies, separated by commas: from them alone
	// X-Forwarded-For is taken (none).
	TrustedProxies string

	Blobs blob.Config // where large content is stored (in the database)

	// Outbound reaches other hosts (by the resolver of the machine; tests have one of their own).
	Outbound *outbound.Guard

	ImportS3 string // URL of the S3 server that archives of projects are imported from (Amazon's)

	LDAP directory.Config // directory that group links are synchronised with (none)
	Mail string           // URL of the mail server, which can contain a password (none: nothing is mailed)

	Out   io.Writer     // receives the ready line and a new root token (discarded)
	Log   *slog.Logger  // (discarded)
	Drain time.Duration // how long a stop waits for requests and jobs (30 s)

	// NotifySocket is the socket of the service manager that is told when hewd is ready and when it
	// stops, as sd_notify(3) describes (none).
	NotifySocket string

	Build Build // what the operator sees: in the log, in metrics, on the page at /

	Version, Revision string // what GET /version returns (the Version constant, Revision())
}

func (c Config) withDefaults() Config {
	c.Listen = cmp.Or(c.Listen, "127.0.0.1:8080")
	c.DataDir = cmp.Or(c.DataDir, ".hewd")
	c.CacheDir = cmp.Or(c.CacheDir, filepath.Join(c.DataDir, "cache"))
	c.Version = cmp.Or(c.Version, Version)
	c.Revision = cmp.Or(c.Revision, Revision())
	c.Build = c.Build.withDefaults()
	c.Drain = cmp.Or(c.Drain, 30*time.Second)
	c.Outbound = cmp.Or(c.Outbound, &outbound.Guard{})
	if c.Out == nil {
		c.Out = io.Discard
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}
