package ledger

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// The sorts of flock. They belong to the open file, so they end with the
// process, however it ends, and hold between two of one process too.
const (
	shared    = syscall.LOCK_SH
	exclusive = syscall.LOCK_EX
	noWait    = syscall.LOCK_NB
)

// flock locks an open file; the error is EWOULDBLOCK where noWait is given and
// somebody else has it.
func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			return os.NewSyscallError("flock", err)
		}
	}
}

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

// syncDir makes new and renamed files of a directory survive a loss of power.
func syncDir(dir string) error {
	if dir == "" {
		dir = "."
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// replace writes data to path at once or not at all.
func replace(path string, data []byte, mode fs.FileMode) (err error) {
	next := path + nextSuffix
	f, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(next) // if it is still there; the error that counts is err
		}
	}()
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	if err = os.Rename(next, path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}
