package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// retry is how often a lock that is waited for is tried: flock cannot be waited
// for and given up.
const retry = 100 * time.Millisecond

func newHolder(who string) Holder {
	host, _ := os.Hostname() // for people only
	return Holder{Who: who, PID: os.Getpid(), Host: host, Since: time.Now().UTC().Truncate(time.Second)}
}

func (f *file) Lock(ctx context.Context, who string) (func() error, error) {
	return await(ctx, func() (func() error, error) { return f.tryLock(who) })
}

// await tries until ctx ends while somebody else holds the lock, and only once
// where ctx has no deadline.
func await(ctx context.Context, try func() (func() error, error)) (func() error, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		unlock, err := try()
		var held *LockedError
		if _, wait := ctx.Deadline(); !wait || !errors.As(err, &held) {
			return unlock, err
		}
		select {
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return nil, err
			}
		case <-time.After(retry):
		}
	}
}

// tryLock locks a file beside the ledger, which Compact renames over. The file
// is removed at the end, so the lock counts only if its name still leads to it.
func (f *file) tryLock(who string) (func() error, error) {
	path := f.path + lockSuffix
	h, err := f.openLock(path)
	if err != nil {
		return nil, fmt.Errorf("cannot lock the ledger: %w", err)
	}
	err = flock(h, exclusive|noWait)
	switch {
	case errors.Is(err, errHeld):
		err = &LockedError{Where: f.path, Holder: readHolder(h)}
	case err == nil && !current(h, path):
		h.Close() // its holder ended between our two calls
		return f.tryLock(who)
	case err == nil:
		err = writeHolder(h, newHolder(who))
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return func() error { return errors.Join(os.Remove(path), h.Close()) }, nil
}

func (f *file) openLock(path string) (*os.File, error) {
	dir := filepath.Dir(path)
	if err := makeDir(dir); err != nil {
		return nil, err
	}
	if err := ignore(dir, keyName, filepath.Base(path), filepath.Base(f.path)+nextSuffix); err != nil {
		return nil, err
	}
	return openFile(path, os.O_RDWR|os.O_CREATE, 0o644)
}

func writeHolder(h *os.File, who Holder) error {
	text, err := json.Marshal(who)
	if err == nil {
		err = h.Truncate(0)
	}
	if err == nil {
		_, err = h.WriteAt(append(text, '\n'), 0)
	}
	if err != nil {
		return fmt.Errorf("cannot lock the ledger: %w", err)
	}
	return nil
}

// readHolder returns the zero holder where none is written yet.
func readHolder(h *os.File) (who Holder) {
	if json.NewDecoder(h).Decode(&who) != nil {
		return Holder{}
	}
	return who
}
