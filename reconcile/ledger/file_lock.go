package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

func (f *fileBackend) Lock(ctx context.Context, who string) (func() error, error) {
	return waitForLock(ctx, func() (func() error, error) { return f.tryLock(who) })
}

// tryLock locks a file beside the ledger, because Compact replaces the ledger file itself. The lock
// file is removed at the end, so a lock counts only while the file is still at its path.
func (f *fileBackend) tryLock(who string) (func() error, error) {
	path := f.path + lockSuffix
	h, err := f.openLockFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot lock the ledger: %w", err)
	}
	err = flock(h, exclusive|noWait)
	switch {
	case errors.Is(err, errHeld):
		err = &LockedError{Where: f.path, Holder: readHolder(h)}
	case err == nil && !isFileAt(h, path):
		h.Close() // its holder unlocked between our two calls
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

func (f *fileBackend) openLockFile(path string) (*os.File, error) {
	dir := filepath.Dir(path)
	if err := checkFile(f.path); err != nil {
		return nil, err
	}
	if err := makeDir(dir); err != nil {
		return nil, err
	}
	if err := addToGitignore(dir, KeyName, filepath.Base(path), filepath.Base(f.path)+nextSuffix); err != nil {
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

// readHolder returns the zero Holder if none is written yet.
func readHolder(h *os.File) (who Holder) {
	if json.NewDecoder(h).Decode(&who) != nil {
		return Holder{}
	}
	return who
}
