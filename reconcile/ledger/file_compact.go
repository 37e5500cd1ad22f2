package ledger

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// Compact rewrites the file as a whole or not at all. It reads the file again, so that no second
// copy of the ledger is kept in memory.
func (f *fileBackend) Compact(ctx context.Context) error {
	f.storeMu.Lock()
	defer f.storeMu.Unlock()
	if err := f.checkWritable(); err != nil || f.wholeSize == 0 {
		return err // nothing is stored yet, so there is no history
	}
	h, err := f.openUnchanged(false)
	if err != nil {
		return err
	}
	defer h.Close() // releases the lock, once the new file is in place
	old, err := readLocked(h)
	if err != nil {
		return fmt.Errorf("cannot read the ledger: %w", err)
	}
	l, _, err := parse(f.path, old)
	if err != nil {
		return err
	}
	if f.headerDirty {
		l.Host, l.KeyFingerprint = f.header.Host, f.header.KeyFingerprint
		l.Serial++
	}
	text, err := l.encode()
	if err != nil || bytes.Equal(text, old) {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := f.rewrite(h, text, f.info.Mode().Perm()); err != nil {
		return err
	}
	f.header.Serial, f.headerDirty = l.Serial, false
	return nil
}

// replace stores another ledger in place of the stored one.
func (f *fileBackend) replace(_ context.Context, l *Ledger) error {
	f.storeMu.Lock()
	defer f.storeMu.Unlock()
	text, err := l.encode()
	if err != nil {
		return err
	}
	var h *os.File
	if f.info != nil {
		if h, err = f.openUnchanged(false); err != nil {
			return err
		}
		defer h.Close()
	} else if err := makeDir(filepath.Dir(f.path)); err != nil {
		return fmt.Errorf("cannot write the ledger: %w", err)
	}
	if err := f.rewrite(h, text, 0o644); err != nil {
		return err
	}
	f.recordLoaded(l.Header)
	return nil
}

// rewrite replaces the content of the file, which h has locked; h is nil if there is no file.
func (f *fileBackend) rewrite(h *os.File, text []byte, mode os.FileMode) error {
	path := f.path
	if h != nil {
		var err error
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return fmt.Errorf("cannot write the ledger: %w", err)
		}
	}
	info, err := replaceFile(h, path, text, mode)
	if err != nil {
		return fmt.Errorf("cannot rewrite the ledger: %w. The old version is intact", err)
	}
	f.noLineBreak, f.wholeSize, f.info = false, int64(len(text)), info
	return nil
}
