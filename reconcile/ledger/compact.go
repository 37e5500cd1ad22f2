package ledger

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// Compact reads the file again rather than keep a second copy of the ledger in
// memory, and writes it anew, whole or not at all.
func (f *file) Compact(ctx context.Context) error {
	f.disk.Lock()
	defer f.disk.Unlock()
	if err := f.ready(); err != nil || f.end == 0 {
		return err // nothing is stored yet, so there is no history
	}
	h, err := f.openCurrent(false)
	if err != nil {
		return err
	}
	defer h.Close() // and with it the lock, once the new file is in place
	old, err := readLocked(h)
	if err != nil {
		return fmt.Errorf("cannot read the ledger: %w", err)
	}
	l, _, err := parse(f.path, old)
	if err != nil {
		return err
	}
	if f.bound {
		l.Host, l.KeyFingerprint = f.head.Host, f.head.KeyFingerprint
		l.Serial++
	}
	text, err := l.print()
	if err != nil || bytes.Equal(text, old) {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	path, err := filepath.EvalSymlinks(f.path)
	if err != nil {
		return fmt.Errorf("cannot write the ledger: %w", err)
	}
	seen, err := replace(h, path, text, f.seen.Mode().Perm())
	if err != nil {
		return fmt.Errorf("cannot write the ledger anew: %w; the old one is whole and in place", err)
	}
	f.head.Serial, f.bound, f.open, f.end, f.seen = l.Serial, false, false, int64(len(text)), seen
	return nil
}

// replace writes another ledger over the file, whole or not at all.
func (f *file) replace(_ context.Context, l *Ledger) error {
	f.disk.Lock()
	defer f.disk.Unlock()
	text, err := l.print()
	if err != nil {
		return err
	}
	var h *os.File
	path := f.path
	if f.seen != nil {
		var err error
		if h, err = f.openCurrent(false); err != nil {
			return err
		}
		defer h.Close()
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return fmt.Errorf("cannot write the ledger: %w", err)
		}
	} else if err := makeDir(filepath.Dir(path)); err != nil {
		return fmt.Errorf("cannot write the ledger: %w", err)
	}
	seen, err := replace(h, path, text, 0o644)
	if err != nil {
		return fmt.Errorf("cannot write the ledger anew: %w; the old one is whole and in place", err)
	}
	f.loaded(l)
	f.open, f.end, f.seen = false, int64(len(text)), seen
	return nil
}
