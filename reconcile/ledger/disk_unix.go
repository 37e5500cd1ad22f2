//go:build unix

package ledger

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// How flock locks. A lock belongs to the open file: it ends with the process, however that ends,
// and it also holds between two opens of one process.
const (
	shared    = syscall.LOCK_SH
	exclusive = syscall.LOCK_EX
	noWait    = syscall.LOCK_NB
)

// errHeld is what flock returns with noWait if another process holds the lock.
var errHeld error = syscall.EWOULDBLOCK

// flock locks an open file until it is closed.
func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			return os.NewSyscallError("flock", err)
		}
	}
}

// openFile opens a file that others may remove or replace while it is open.
func openFile(path string, flags int, mode os.FileMode) (*os.File, error) {
	return os.OpenFile(path, flags, mode)
}

// renameOver renames a file over another one in its directory. locked is the handle of the replaced
// file, nil if there is none; only Windows needs it.
func renameOver(_ *os.File, from, to string) error { return os.Rename(from, to) }

// syncDir makes new and renamed files of a directory survive a power failure.
func syncDir(dir string) error {
	d, err := os.Open(filepath.Clean(dir))
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
