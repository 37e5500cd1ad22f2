package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// DefaultPath is where the file backend keeps the ledger unless told.
const DefaultPath = ".hew/ledger.json"

const (
	keyName    = "key"   // beside the ledger
	nextSuffix = ".new"  // what Compact writes, until it is whole
	lockSuffix = ".lock" // of the file that Lock locks
)

// File keeps a ledger in a file, DefaultPath where path is "". key is the digest
// key's text, "" for the file `key` beside the ledger. Nothing is touched before
// the first call.
func File(path, key string) Backend {
	if path == "" {
		path = DefaultPath
	}
	return &file{path: path, keyText: key, sync: (*os.File).Sync}
}

// file is the backend.
type file struct {
	keeper
	path, keyText string
	sync          func(*os.File) error

	// guarded by keeper.disk
	seen os.FileInfo
	end  int64 // of the last whole line
	open bool  // that line lacks its line break
}

func (f *file) Load(ctx context.Context) (*Ledger, error) {
	f.disk.Lock()
	defer f.disk.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	text, seen, err := readCurrent(f.path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the ledger: %w", err)
	}
	f.seen = seen
	l, whole, err := parse(f.path, text)
	if err != nil {
		return nil, f.damaged(err)
	}
	f.notes = nil
	if torn := len(text) - whole; torn > 0 || seen != nil && whole == 0 {
		f.notes = append(f.notes, fmt.Sprintf("The last line of the ledger %s was cut off by a crash and is left out (%d bytes). "+
			"The object it was about is found again by its key.", f.path, torn))
	}
	if l == nil {
		l = newLedger()
	}
	f.loaded(l)
	f.end, f.open = int64(whole), whole > 0 && text[whole-1] != '\n'
	return l, nil
}

// readCurrent reads a file between two writes of others. Where there is none,
// the info is nil.
func readCurrent(path string) ([]byte, os.FileInfo, error) {
	for {
		h, err := openFile(path, os.O_RDONLY, 0)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil, nil
		}
		if err != nil {
			return nil, nil, err
		}
		text, err := readShared(h)
		info, statErr := h.Stat()
		moved := !current(h, path) // compacted while we waited
		h.Close()
		if err = errors.Join(err, statErr); err != nil || !moved {
			return text, info, err
		}
	}
}

func (f *file) Key() (*Key, error) {
	f.disk.Lock()
	defer f.disk.Unlock()
	if f.key != nil {
		return f.key, nil
	}
	var err error
	if f.keyText != "" {
		f.key, err = NewKey(f.keyText)
	} else {
		f.key, err = newFileKey(filepath.Join(filepath.Dir(f.path), keyName))
	}
	return f.key, err
}
