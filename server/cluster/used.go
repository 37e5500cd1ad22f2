package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// up launches the server until it is ready, or is refused the directory by one that does not end.
func (c *Cluster) up(ctx context.Context, cfg Config, bin string, id identity) error {
	waiting, stop := context.WithTimeout(ctx, cfg.grace)
	defer stop()
	for {
		if err := c.launch(cfg, bin, id); err != nil {
			return err
		}
		err := c.ready(ctx)
		if err == nil {
			return nil
		}
		var used *usedError
		if !errors.As(err, &used) || !ends(waiting, used.pid) {
			return errors.Join(err, c.Stop())
		}
	}
}

// usedError says that another server has the directory.
type usedError struct {
	dir   string
	pid   int
	cause error
}

func (e *usedError) Error() string {
	return fmt.Sprintf("the data directory %s is in use by process %d: stop that hewd, or share one database by HEWD_DATABASE_URL\n%v",
		e.dir, e.pid, e.cause)
}

func (e *usedError) Unwrap() error { return e.cause }

// ends reports whether a process ends before the context does.
func ends(ctx context.Context, pid int) bool {
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	for alive(pid) {
		select {
		case <-ctx.Done():
			return false
		case <-poll.C:
		}
	}
	return ctx.Err() == nil
}
