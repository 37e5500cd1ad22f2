package ledger

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// readShared reads a whole file while nobody writes it.
func readShared(f *os.File) ([]byte, error) {
	if err := flock(f, shared); err != nil {
		return nil, err
	}
	return readLocked(f)
}

// readLocked reads a whole file that the caller has locked.
func readLocked(f *os.File) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data := make([]byte, info.Size())
	_, err = io.ReadFull(f, data)
	return data, err
}

// current tells whether the open file is still the one that path names, and not
// one that was removed or renamed over.
func current(f *os.File, path string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(path)
	return err == nil && os.SameFile(mine, now)
}

// unchanged tells whether a file is as it was seen, byte for byte as far as
// size and time tell.
func unchanged(seen, now os.FileInfo) bool {
	if seen == nil {
		return now.Size() == 0 // made just now, by us
	}
	return os.SameFile(seen, now) && seen.Size() == now.Size() && seen.ModTime().Equal(now.ModTime())
}

func makeDir(dir string) error {
	if dir == "" {
		return nil
	}
	return os.MkdirAll(dir, 0o755)
}

// replace writes data to path at once or not at all, over a file that is locked
// or, for nil, is not there. It returns what the file looks like from now on: as
// its handle has it, for by its name it may be another's already.
func replace(locked *os.File, path string, data []byte, mode fs.FileMode) (info os.FileInfo, err error) {
	next := path + nextSuffix
	f, err := openFile(next, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			os.Remove(next) // if it is still there; the error that counts is err
		}
	}()
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Sync())
	info, statErr := f.Stat()
	if err = errors.Join(err, statErr, f.Close()); err != nil {
		return nil, err
	}
	if err = renameOver(locked, next, path); err != nil {
		return nil, err
	}
	return info, syncDir(filepath.Dir(path))
}
