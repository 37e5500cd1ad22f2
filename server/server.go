package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"hew/server/auth"
	"hew/server/ci"
	"hew/server/cluster"
	"hew/server/code"
	"hew/server/db"
	"hew/server/directory"
	"hew/server/event"
	"hew/server/git/exec"
	"hew/server/jobs"
	"hew/server/mail"
	"hew/server/part"
	"hew/server/rest"
	"hew/server/transfer"
	"hew/server/view"
)

// Server is an opened hewd: the database is migrated, root exists, jobs run, the port is taken.
// Serve answers requests; Close undoes all of it.
type Server struct {
	Store *db.Store
	Jobs  *jobs.Queue
	Parts []part.Part
	Auth  *auth.Auth
	Root  string // root's token, if this start knows it

	config   Config
	proxies  proxies
	cluster  *cluster.Cluster // nil with an external database
	git      *exec.Git        // nil where it is not installed
	code     *code.Storage
	pool     *pgxpool.Pool
	sum      part.Part // of Parts
	metrics  *metrics
	listener net.Listener
	draining atomic.Bool
	joins    bool               // uses the private Postgres of a hewd that runs, if one does
	stop     context.CancelFunc // of the background work
	work     sync.WaitGroup
}

// Run opens a server, prints one line when it is ready, serves until the context ends, and stops in
// order: no new requests, the running ones and the jobs finish, the database stops. It is what
// `hewd serve` does.
func Run(ctx context.Context, c Config) (err error) {
	s, err := Open(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.logStart(ctx); err != nil {
		return err
	}
	fmt.Fprintf(s.config.Out, "hewd ready on %s/api/v4\n", s.URL())
	return s.Serve(ctx)
}

// Open brings everything up. Whatever was opened before a failure is closed again.
func Open(ctx context.Context, c Config) (_ *Server, err error) {
	s := &Server{config: c.withDefaults()}
	s.metrics = newMetrics(s.config.Build)
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	s.proxies, err = parseProxies(s.config.TrustedProxies)
	if err = errors.Join(err, transfer.CheckS3(s.config.ImportS3)); err != nil {
		return nil, err
	}
	if s.listener, err = net.Listen("tcp", s.config.Listen); err != nil { // first: a taken port should cost nothing
		return nil, fmt.Errorf("listen: %w", err)
	}
	ldap, err := directory.Open(s.config.LDAP)
	if err != nil {
		return nil, err
	}
	mails, err := mail.Open(s.config.Mail)
	if err != nil {
		return nil, err
	}
	s.Parts = Parts(part.Host{
		Site: &view.Site{Base: s.URL(), Version: s.config.Version, Revision: s.config.Revision},
		Out:  s.config.Outbound, LDAP: ldap, Log: s.config.Log, ImportS3: s.config.ImportS3,
	})
	s.sum = Sum(s.Parts)
	if err := s.openDatabase(ctx); err != nil {
		return nil, err
	}
	event.Attach(s.Store, s.sum.Listeners)
	if mails != nil {
		mails.Base, mails.Log = s.URL(), s.config.Log
		mail.Attach(s.Store, mails)
	}
	if s.git, err = exec.Find(s.config.Git); err != nil {
		s.config.Log.Warn("git clients, merges and diffs answer 503: there is no git to run", "error", err)
	}
	s.code = code.NewStorage(s.config.CacheDir, s.git)
	code.Attach(s.Store, s.code)
	if s.Root, err = EnsureRoot(ctx, s.Store, s.config.RootToken, s.config.Log); err != nil {
		return nil, err
	}
	if s.Root != "" && s.config.RootToken == "" {
		fmt.Fprintf(s.config.Out, "Token of the administrator root (shown only once): %s\n", s.Root)
	}
	if err := s.startWork(ctx); err != nil {
		return nil, err
	}
	s.metrics.watch(s.Store, s.pool, s.Jobs, s.sum.Jobs)
	return s, nil
}

// startWork starts what runs beside the requests.
func (s *Server) startWork(ctx context.Context) (err error) {
	if s.Jobs, err = jobs.Open(s.pool, s.Store, s.sum.Jobs, s.metrics.observeJob, quiet(s.config.Log)); err != nil {
		return err
	}
	if err := s.Jobs.Start(ctx); err != nil {
		return fmt.Errorf("start the job queue: %w", err)
	}
	s.Auth = auth.New(s.Store, rest.Param)
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	s.work.Go(func() {
		s.Auth.Run(background, func(err error) { s.config.Log.Error("note the use of a token", "error", err) })
	})
	s.work.Go(func() { _ = s.Store.Listen(background) }) // fails only for a store that is not a pool
	s.work.Go(func() { s.code.Tidy(background) })
	return nil
}

// quiet returns a log for the job queue. What the queue says of its own routine is left out, unless
// the operator debugs.
func quiet(log *slog.Logger) *slog.Logger {
	if log.Enabled(context.Background(), slog.LevelDebug) {
		return log
	}
	return slog.New(atLeast{log.Handler(), slog.LevelWarn})
}

type atLeast struct {
	slog.Handler
	level slog.Level
}

// Enabled implements slog.Handler.
func (a atLeast) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= a.level && a.Handler.Enabled(ctx, l)
}

// URL is how clients call the server, without a trailing slash.
func (s *Server) URL() string {
	if s.config.ExternalURL != "" {
		return strings.TrimRight(s.config.ExternalURL, "/")
	}
	return "http://" + s.listener.Addr().String()
}

// lostDrain is how long requests may take to notice that the database is lost.
const lostDrain = 5 * time.Second

// Serve answers requests until the context ends, and then until those that run have been answered.
// A private database that stops by itself ends it too.
func (s *Server) Serve(ctx context.Context) error {
	server := &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       2 * time.Minute, // uploads
		WriteTimeout:      5 * time.Minute, // archives
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(s.config.Log.Handler(), slog.LevelWarn),
	}
	server.RegisterOnShutdown(func() { ci.EndWaits(s.Store) })
	served := make(chan error, 1)
	go func() { served <- server.Serve(s.listener) }()
	s.notify("READY=1\nSTATUS=Serving " + s.URL() + "/api/v4")
	var lost <-chan struct{}
	if s.cluster != nil {
		lost = s.cluster.Done()
	}
	select {
	case err := <-served:
		return fmt.Errorf("serve: %w", err)
	case <-lost:
		s.draining.Store(true)
		answering, cancel := context.WithTimeout(context.WithoutCancel(ctx), lostDrain)
		defer cancel()
		_ = server.Shutdown(answering) // requests that ran get their 503
		_ = server.Close()
		return s.cluster.Err()
	case <-ctx.Done():
	}
	s.draining.Store(true)
	s.notify("STOPPING=1\nSTATUS=Finishing what runs")
	s.config.Log.Info("draining")
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.config.Drain)
	defer cancel()
	if err := server.Shutdown(drain); err != nil {
		return errors.Join(
			fmt.Errorf("requests still running after %s were cut off: %w", s.config.Drain, err), server.Close(),
		)
	}
	return nil
}

// Close stops the jobs (running ones may finish), the background work, the pool and a private
// Postgres.
func (s *Server) Close() (err error) {
	if s.listener != nil {
		_ = s.listener.Close() // closed by Serve already, as a rule
	}
	if s.Jobs != nil {
		drain, cancel := context.WithTimeout(context.Background(), s.config.Drain)
		defer cancel()
		err = errors.Join(err, s.Jobs.Stop(drain))
	}
	if s.stop != nil {
		s.stop()
		s.work.Wait()
	}
	if s.code != nil {
		err = errors.Join(err, s.code.Close())
	}
	if s.pool != nil {
		s.pool.Close()
	}
	if s.cluster != nil {
		if s.cluster.Err() == nil { // otherwise Serve has told
			err = errors.Join(err, s.cluster.Stop())
		}
	}
	return err
}
