package code

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"hew/server/filelock"
)

// cacheDir is the directory of a process below the one that all keep their copies in. A locked file
// beside it, its name with lockSuffix, says that the process runs. The file is there before the
// directory and as long as it.
type cacheDir struct {
	path string
	lock *os.File
}

const cachePrefix, lockSuffix = "repositories-", ".lock"

// newCacheDir makes a directory below cache, and cache itself.
func newCacheDir(cache string) (d cacheDir, err error) {
	for {
		if err := os.MkdirAll(cache, 0o700); err != nil {
			return d, err
		}
		f, err := os.CreateTemp(cache, cachePrefix+"*"+lockSuffix)
		if err != nil {
			return d, err
		}
		d = cacheDir{path: strings.TrimSuffix(f.Name(), lockSuffix)}
		if err := d.hold(f); err != nil || d.lock != nil {
			return d, err
		}
	}
}

// keep makes again what is missing of the directory and its lock: who cleans up a disk may have
// deleted them.
func (d *cacheDir) keep() error {
	if d.lock != nil && isFile(d.lock) {
		return os.MkdirAll(d.path, 0o700)
	}
	if err := os.MkdirAll(filepath.Dir(d.path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(d.path+lockSuffix, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return d.hold(f)
}

// hold locks a file for the directory and makes that. The lock stays nil if another process removes
// the file as one of a dead process.
func (d *cacheDir) hold(f *os.File) error {
	if d.lock != nil {
		_ = d.lock.Close() // it was only read
		d.lock = nil
	}
	err := filelock.TryLock(f)
	if err != nil && !errors.Is(err, filelock.ErrHeld) {
		return errors.Join(err, f.Close())
	}
	if err != nil || !isFile(f) {
		_ = f.Close() // likewise
	} else {
		d.lock = f
	}
	return os.MkdirAll(d.path, 0o700)
}

// isFile reports whether an open file still has its name.
func isFile(f *os.File) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(f.Name())
	return err == nil && os.SameFile(opened, named)
}

// remove removes the directory.
func (d cacheDir) remove() error {
	if d.path == "" {
		return nil
	}
	err := os.RemoveAll(d.path)
	if d.lock != nil {
		err = errors.Join(err, d.lock.Close())
	}
	if failed := os.Remove(d.path + lockSuffix); !errors.Is(failed, fs.ErrNotExist) {
		err = errors.Join(err, failed)
	}
	return err
}

// removeDeadCaches removes the directories below cache of processes that no longer run. It goes on
// after errors: git of a process that was killed may still write for a moment.
func removeDeadCaches(cache string) error {
	names, err := filepath.Glob(filepath.Join(cache, cachePrefix+"*"))
	for _, name := range names {
		if path, isLock := strings.CutSuffix(name, lockSuffix); isLock {
			err = errors.Join(err, removeIfDead(path))
		} else if _, failed := os.Stat(name + lockSuffix); errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, os.RemoveAll(name)) // of a version that locked nothing
		}
	}
	return err
}

func removeIfDead(path string) error {
	f, err := os.OpenFile(path+lockSuffix, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) { // its process has removed it
		return nil
	}
	if err != nil {
		return err
	}
	if err := filelock.TryLock(f); err != nil {
		if errors.Is(err, filelock.ErrHeld) {
			err = nil
		}
		return errors.Join(err, f.Close())
	}
	if err := os.RemoveAll(path); err != nil {
		return errors.Join(err, f.Close())
	}
	return cacheDir{path, f}.remove()
}
