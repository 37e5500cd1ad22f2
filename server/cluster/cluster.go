// Package cluster runs a private Postgres for one hewd: its own data directory, a unix socket that nobody else can
// reach, no TCP port, and an end that is tied to ours.
//
// Postgres refuses to run as root. A root process therefore gives the server to the user postgres, or to nobody, by
// dropping credentials at exec; everything else here follows from that: directories are handed over to that user, and
// every parent of the data directory has to let it pass. The socket trusts whoever can open it, so the socket
// is in a directory that is 0700 and belongs to the user that runs Postgres: that user, and root, are the only possible
// peers.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Config says where the cluster lives and how careful it is. The zero value, with a Dir, is right for production.
type Config struct {
	Dir string    // the data directory; made by initdb at first start
	Bin string    // directory of the Postgres binaries; empty: FindBin searches
	Dev bool      // trade durability for speed: for tests and demonstrations only
	Log io.Writer // what Postgres and initdb print; nil discards it

	grace time.Duration // how long a server that a killed hewd has left behind may take to end (5 s)
}

// Cluster is a running Postgres. It ends with Stop, or with the process that started it.
type Cluster struct {
	dir     string // where the data really is: Config.Dir, or a reachable directory in its place
	notice  string
	sockets string
	process *os.Process
	done    chan struct{} // closed once the server was reaped; failure is set before
	failure error
}

// ErrStopped is the cause when Postgres ends without having been asked to.
var ErrStopped = errors.New("postgres stopped by itself")

// Start brings the cluster up and returns once it accepts connections: in about a second when it has to be created,
// in 40 ms when it exists. A directory already in use, missing binaries and unreachable directories are errors that
// name the remedy, as is a system where there can be none. A cancelled context stops what was started.
func Start(ctx context.Context, cfg Config) (*Cluster, error) {
	if errNone != nil {
		return nil, errNone
	}
	if cfg.grace == 0 {
		cfg.grace = 5 * time.Second
	}
	bin, err := FindBin(cfg.Bin)
	if err != nil {
		return nil, err
	}
	id, err := runAs(os.Geteuid())
	if err != nil {
		return nil, err
	}
	dir, notice, err := id.settle(cfg.Dir)
	if err != nil {
		return nil, err
	}
	id = id.orOwner(dir)
	c := &Cluster{dir: dir, notice: notice}
	if !exists(filepath.Join(dir, "PG_VERSION")) {
		if err := create(ctx, cfg, bin, dir, id); err != nil {
			return nil, err
		}
	}
	if err := c.up(ctx, cfg, bin, id); err != nil {
		return nil, err
	}
	return c, nil
}

// create runs initdb beside the final place and renames: a directory that carries the final name is complete, whatever
// interrupted us.
func create(ctx context.Context, cfg Config, bin, dir string, id identity) error {
	if err := os.Remove(dir); err != nil && !errors.Is(err, os.ErrNotExist) { // an empty directory may stand in the way
		return fmt.Errorf("%s exists and is not a Postgres data directory; choose another data directory: %w", dir, err)
	}
	fresh := dir + ".new"
	if err := os.RemoveAll(fresh); err != nil {
		return fmt.Errorf("clear an unfinished cluster: %w", err)
	}
	if err := id.mkdir(fresh, 0o700); err != nil {
		return err
	}
	args := []string{"-D", fresh, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale"}
	if cfg.Dev {
		args = append(args, "--no-sync")
	}
	said := &lastWords{log: cfg.Log}
	initdb := id.command(ctx, filepath.Join(bin, "initdb"), fresh, args...)
	initdb.Stdout, initdb.Stderr = said, said
	if err := onThread(initdb, nil); err != nil {
		return fmt.Errorf("initdb in %s: %w\n%s", dir, err, said)
	}
	return os.Rename(fresh, dir)
}

// launch starts the server and watches it to its end.
func (c *Cluster) launch(cfg Config, bin string, id identity) (err error) {
	var temporary bool
	if c.sockets, temporary, err = id.socketDir(c.dir); err != nil {
		return err
	}
	args := []string{"-D", c.dir, "-k", c.sockets, "-h", "", "-c", "max_connections=200"}
	if cfg.Dev {
		args = append(args, "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off")
	}
	said := &lastWords{log: cfg.Log}
	// Not the caller's context: a server that is draining still needs its database. Stop ends it.
	server := id.command(context.Background(), filepath.Join(bin, "postgres"), c.dir, args...)
	server.Stdout, server.Stderr = said, said

	started, done := make(chan error, 1), make(chan struct{})
	c.done = done
	go func() {
		failure := onThread(server, started)
		c.failure = fmt.Errorf("%w: %v\n%s", ErrStopped, failure, said)
		if temporary {
			os.RemoveAll(c.sockets)
		}
		close(done)
	}()
	if err := <-started; err != nil {
		return fmt.Errorf("start postgres: %w", err)
	}
	c.process = server.Process
	return nil
}

// onThread starts a command and waits for it on one locked thread. The death signal follows the *thread* that forked,
// so that thread has to live as long as the child. The result of the start goes to started, if anybody wants it.
func onThread(cmd *exec.Cmd, started chan<- error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := cmd.Start()
	if started != nil {
		started <- err
	}
	if err != nil {
		return err
	}
	return cmd.Wait()
}

// ready waits until *our* server is ready. An orphan on the same directory would answer a connection while our child
// dies on its lock file; so the lock file is read instead: our child's pid in line 1, "ready" in line 8.
func (c *Cluster) ready(ctx context.Context) error {
	poll := time.NewTicker(2 * time.Millisecond)
	defer poll.Stop()
	for {
		if lines := c.lockFile(); len(lines) >= 8 && lines[0] == strconv.Itoa(c.process.Pid) && strings.TrimSpace(lines[7]) == "ready" {
			return nil
		}
		select {
		case <-c.done:
			if lines := c.lockFile(); len(lines) > 0 {
				if pid, err := strconv.Atoi(lines[0]); err == nil && pid > 0 && pid != c.process.Pid {
					return &usedError{c.dir, pid, c.failure}
				}
			}
			return c.failure
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-poll.C:
		}
	}
}

func (c *Cluster) lockFile() []string {
	text, err := os.ReadFile(filepath.Join(c.dir, "postmaster.pid"))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// URL is the connection string of a database in this cluster.
func (c *Cluster) URL(database string) string {
	return fmt.Sprintf("host=%s user=postgres dbname=%s sslmode=disable", c.sockets, database)
}

// Dir is where the data is. It differs from Config.Dir when the user that runs Postgres could not have reached that;
// Notice then says so in a sentence, and is empty otherwise.
func (c *Cluster) Dir() string { return c.dir }

// Notice is a sentence for the operator, or empty.
func (c *Cluster) Notice() string { return c.notice }

// Done is closed when the server has ended; Err then says how.
func (c *Cluster) Done() <-chan struct{} { return c.done }

// Err is nil while the server runs, and ErrStopped with its last words afterwards.
func (c *Cluster) Err() error {
	select {
	case <-c.done:
		return c.failure
	default:
		return nil
	}
}

// Stop asks for a fast shutdown (clients are disconnected, everything is written), insists after ten seconds, and
// returns when the process is gone. It may be called twice.
func (c *Cluster) Stop() error {
	for _, ask := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT} {
		if err := c.process.Signal(ask); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("stop postgres: %w", err)
		}
		select {
		case <-c.done:
			return nil
		case <-time.After(10 * time.Second):
		}
	}
	return fmt.Errorf("postgres (process %d) ignores both fast and immediate shutdown", c.process.Pid)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
