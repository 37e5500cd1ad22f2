// Package cluster runs a private Postgres for one hewd. It has its own data directory, a unix
// socket that no other user can open and no TCP port, and it ends with the process that started it.
//
// Postgres refuses to run as root. If hewd runs as root, the server runs as the user postgres, or
// nobody. Directories are handed over to that user, who must be able to pass every parent of the
// data directory. The server trusts every connection to the socket; the socket is in a directory of
// mode 0700 that belongs to the user that runs Postgres, so only that user and root can connect.
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

// Config holds the settings of a cluster. Only Dir is required.
type Config struct {
	Dir string    // data directory; initdb makes it at the first start
	Bin string    // directory of the Postgres binaries; empty: what FindBin finds
	Dev bool      // run without durability, for tests and demonstrations
	Log io.Writer // receives what Postgres and initdb print; nil discards it
	Set []string  // further settings of Postgres, as name=value

	grace time.Duration // how long to wait for a server that a killed hewd left behind (5 s)
}

// Cluster is a running Postgres. It ends with Stop or with the process that started it.
type Cluster struct {
	dir     string // where the data is: Config.Dir, or a directory in its place
	notice  string
	sockets string
	process *os.Process
	done    chan struct{} // closed when the server has ended; failure is set before
	failure error
}

// ErrStopped is the cause when Postgres ends without a call of Stop.
var ErrStopped = errors.New("postgres exited")

// Start starts the cluster and returns when it accepts connections: after about a second if it has
// to be created, after 40 ms if it exists. A directory in use, missing binaries, a directory that
// cannot be reached and an unsupported system are errors that say what to do. If the context ends
// first, Start stops the server.
func Start(ctx context.Context, cfg Config) (*Cluster, error) {
	if errUnsupported != nil {
		return nil, errUnsupported
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
	dir, notice, err := id.chooseDir(cfg.Dir)
	if err != nil {
		return nil, err
	}
	id = id.ownerOf(dir)
	c := &Cluster{dir: dir, notice: notice}
	if !pathExists(filepath.Join(dir, "PG_VERSION")) {
		if err := initCluster(ctx, cfg, bin, dir, id); err != nil {
			return nil, err
		}
	}
	if err := c.startAndWait(ctx, cfg, bin, id); err != nil {
		return nil, err
	}
	return c, nil
}

// initCluster runs initdb in a directory beside dir and renames it, so that dir is always complete.
func initCluster(ctx context.Context, cfg Config, bin, dir string, id identity) error {
	// An empty directory would prevent the rename.
	if err := os.Remove(dir); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s exists and is not a Postgres data directory: set another data directory: %w", dir, err)
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
	output := &tailWriter{log: cfg.Log}
	initdb := id.command(ctx, filepath.Join(bin, "initdb"), fresh, args...)
	initdb.Stdout, initdb.Stderr = output, output
	if err := runOnLockedThread(initdb, nil); err != nil {
		return fmt.Errorf("initdb in %s: %w\n%s", dir, err, output)
	}
	return os.Rename(fresh, dir)
}

// start starts the server, and a goroutine that waits for its end.
func (c *Cluster) start(cfg Config, bin string, id identity) (err error) {
	var temporary bool
	if c.sockets, temporary, err = id.socketDir(c.dir); err != nil {
		return err
	}
	args := []string{"-D", c.dir, "-k", c.sockets, "-h", "", "-c", "max_connections=200"}
	if cfg.Dev {
		args = append(args, "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off")
	}
	for _, setting := range cfg.Set {
		args = append(args, "-c", setting)
	}
	output := &tailWriter{log: cfg.Log}
	// Not the caller's context: hewd needs its database while it drains. Stop ends it.
	server := id.command(context.Background(), filepath.Join(bin, "postgres"), c.dir, args...)
	server.Stdout, server.Stderr = output, output

	started, done := make(chan error, 1), make(chan struct{})
	c.done = done
	go func() {
		failure := runOnLockedThread(server, started)
		c.failure = fmt.Errorf("%w: %v\n%s", ErrStopped, failure, output)
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

// runOnLockedThread starts a command and waits for it on one locked thread: the death signal is
// sent when the thread that forked ends, so that thread has to live as long as the child. The
// result of the start goes to started, unless that is nil.
func runOnLockedThread(cmd *exec.Cmd, started chan<- error) error {
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

// waitReady waits until our server is ready. It reads the lock file, which has the server's pid in
// line 1 and "ready" in line 8: a connection could reach an orphan that still uses the directory,
// while our child fails on the lock file.
func (c *Cluster) waitReady(ctx context.Context) error {
	poll := time.NewTicker(2 * time.Millisecond)
	defer poll.Stop()
	for {
		lines := c.lockFile()
		if statusOf(lines) == "ready" && lines[0] == strconv.Itoa(c.process.Pid) {
			return nil
		}
		select {
		case <-c.done:
			lines := c.lockFile()
			if len(lines) == 0 && strings.Contains(c.failure.Error(), lockTaken) { // it was there a moment ago
				return &inUseError{c.dir, 0, c.failure}
			}
			if len(lines) > 0 {
				if pid, err := strconv.Atoi(lines[0]); err == nil && pid > 0 && pid != c.process.Pid {
					return &inUseError{c.dir, pid, c.failure}
				}
			}
			return c.failure
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-poll.C:
		}
	}
}

// URL returns the connection string of a database in the cluster.
func (c *Cluster) URL(database string) string {
	return fmt.Sprintf("host=%s user=postgres dbname=%s sslmode=disable", c.sockets, database)
}

// Dir returns where the data is. It differs from Config.Dir if the user that runs Postgres cannot
// reach that directory; Notice then says so.
func (c *Cluster) Dir() string { return c.dir }

// Notice returns a sentence for the operator, or "".
func (c *Cluster) Notice() string { return c.notice }

// Done returns a channel that is closed when the server has ended.
func (c *Cluster) Done() <-chan struct{} { return c.done }

// Err returns nil while the server runs, then an ErrStopped with the last lines that it printed.
func (c *Cluster) Err() error {
	select {
	case <-c.done:
		return c.failure
	default:
		return nil
	}
}

// Stop shuts the server down fast: clients are disconnected, everything is written. After ten
// seconds it asks for an immediate shutdown, and after ten more it fails. It can be called twice.
func (c *Cluster) Stop() error {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT} {
		if err := c.process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
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

func pathExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
