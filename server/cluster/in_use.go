package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// startAndWait starts the server and waits until it is ready. If another server still uses the
// directory, it waits until that one has ended, cfg.grace at most, and tries again. One that is
// stopping gets longer: a killed hewd leaves a server that writes all its changes to disk.
func (c *Cluster) startAndWait(ctx context.Context, cfg Config, bin string, id identity) error {
	waiting, stop := context.WithTimeout(ctx, cfg.grace)
	defer stop()
	stopping, stop := context.WithTimeout(ctx, stopTime)
	defer stop()
	for {
		if err := c.start(cfg, bin, id); err != nil {
			return err
		}
		err := c.waitReady(ctx)
		if err == nil {
			return nil
		}
		var inUse *inUseError
		if !errors.As(err, &inUse) {
			return errors.Join(err, c.Stop())
		}
		ends := inUse.pid == 0 || processEnds(waiting, inUse.pid)
		for !ends && c.isLeft() && stopping.Err() == nil {
			ends = processEnds(stopping, inUse.pid)
		}
		if !ends {
			return errors.Join(err, c.Stop())
		}
	}
}

// isLeft reports whether the server that had the directory is stopping, or has removed its lock
// file already, which is the last that it does.
func (c *Cluster) isLeft() bool {
	status := statusOf(c.lockFile())
	return status == "stopping" || status == ""
}

// stopTime is how long a server that is stopping may take.
const stopTime = 5 * time.Minute

// inUseError reports that another server uses the directory. Its text leaves out what Postgres
// prints about it, which says the same.
type inUseError struct {
	dir   string
	pid   int // 0: it has ended meanwhile
	cause error
}

func (e *inUseError) Error() string {
	return fmt.Sprintf("the data directory %s is in use by process %d: "+
		"stop that hewd, or have both use one database with HEWD_DATABASE_URL", e.dir, e.pid)
}

func (e *inUseError) Unwrap() error { return e.cause }

// processEnds reports whether a process ends before the context does.
func processEnds(ctx context.Context, pid int) bool {
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	for processExists(pid) {
		select {
		case <-ctx.Done():
			return false
		case <-poll.C:
		}
	}
	return ctx.Err() == nil
}
