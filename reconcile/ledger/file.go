package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// DefaultPath is the path of a ledger file whose block sets none.
const DefaultPath = ".hew/ledger.json"

// KeyName is the name of the file beside the ledger that holds the digest key.
const KeyName = "key"

// Files beside the ledger, by what is appended to the ledger's name.
const (
	nextSuffix = ".new"  // the next version, while Compact writes it
	lockSuffix = ".lock" // the file that Lock locks
)

// KeyPath returns the path of the digest key of a ledger file.
func KeyPath(path string) string { return filepath.Join(filepath.Dir(path), KeyName) }

// File returns a backend that keeps a ledger in a file; path "" is DefaultPath. key is the text of
// the digest key; if it is "", the key is in the file "key" beside the ledger. File itself touches
// no file.
func File(path, key string) Backend {
	if path == "" {
		path = DefaultPath
	}
	return &fileBackend{path: path, keyText: key, sync: (*os.File).Sync}
}

// fileBackend is a Backend over a file in the text form of line.
type fileBackend struct {
	committer
	path, keyText string
	sync          func(*os.File) error // (*os.File).Sync, but in tests

	// guarded by storeMu
	info        os.FileInfo // as of the last read or write; nil: there is no file
	wholeSize   int64       // bytes up to the end of the last whole line
	noLineBreak bool        // that line lacks its line break
}

func (f *fileBackend) Load(ctx context.Context) (*Ledger, error) {
	f.storeMu.Lock()
	defer f.storeMu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	text, info, err := readFile(f.path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the ledger: %w", err)
	}
	f.info = info
	l, whole, err := parse(f.path, text)
	if err != nil {
		return nil, f.recordDamage(err)
	}
	f.notes = nil
	if torn := len(text) - whole; torn > 0 || info != nil && whole == 0 {
		f.notes = append(f.notes, fmt.Sprintf("The last line of the ledger %s is incomplete, probably after a crash, "+
			"and is ignored (%d bytes). hew finds its object again by its key.", f.path, torn))
	}
	if l == nil {
		l = newLedger()
	}
	f.recordLoaded(l.Header)
	f.wholeSize, f.noLineBreak = int64(whole), whole > 0 && text[whole-1] != '\n'
	return l, nil
}

// readFile reads a file while nobody writes it. If there is no file, info is nil.
func readFile(path string) (text []byte, info os.FileInfo, err error) {
	if err := checkFile(path); err != nil {
		return nil, nil, err
	}
	for {
		h, err := openFile(path, os.O_RDONLY, 0)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil, nil
		}
		if err != nil {
			return nil, nil, err
		}
		text, err := readWithSharedLock(h)
		info, statErr := h.Stat()
		replaced := !isFileAt(h, path) // by Compact, while the lock was waited for
		h.Close()
		if err = errors.Join(err, statErr); err != nil || !replaced {
			return text, info, err
		}
	}
}

// checkFile returns an error if what is at path is not a regular file.
func checkFile(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file. Change path in the ledger block, or HEW_LEDGER_PATH", path)
	}
	return nil
}

func (f *fileBackend) Key() (*Key, error) {
	f.storeMu.Lock()
	defer f.storeMu.Unlock()
	if f.key != nil {
		return f.key, nil
	}
	var err error
	if f.keyText != "" {
		f.key, err = NewKey(f.keyText)
	} else {
		f.key, err = newFileKey(KeyPath(f.path))
	}
	return f.key, err
}
