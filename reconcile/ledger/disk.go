package ledger

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// readWithSharedLock reads a whole file while nobody writes it.
func readWithSharedLock(f *os.File) ([]byte, error) {
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

// isFileAt reports whether the open file is still at path, and was neither removed nor replaced.
func isFileAt(f *os.File, path string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(path)
	return err == nil && os.SameFile(mine, now)
}

// isUnchanged reports whether a file has the size and time of seen; nil stands for no file, so that
// now must be the empty one that this process has just created.
func isUnchanged(seen, now os.FileInfo) bool {
	if seen == nil {
		return now.Size() == 0
	}
	return os.SameFile(seen, now) && seen.Size() == now.Size() && seen.ModTime().Equal(now.ModTime())
}

func makeDir(dir string) error {
	if dir == "" {
		return nil
	}
	return os.MkdirAll(dir, 0o755)
}

// replaceFile writes data to path as a whole or not at all, over a file that the caller has locked,
// or over none if locked is nil. The info that it returns is taken from the new file's handle,
// because another process may already have replaced the file at path.
func replaceFile(locked *os.File, path string, data []byte, mode fs.FileMode) (info os.FileInfo, err error) {
	next := path + nextSuffix
	f, err := openFile(next, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			os.Remove(next) // if it still exists; err is the error that matters
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
