//go:build unix

package ledger

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// How a file is locked. Locks belong to the open file, so they end with the
// process, however it ends, and hold between two of one process too.
const (
	shared    = syscall.LOCK_SH
	exclusive = syscall.LOCK_EX
	noWait    = syscall.LOCK_NB
)

// errHeld is the error of flock where noWait is given and somebody else has the
// lock.
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

// openFile opens a file that others may remove, and rename over, while it is
// open.
func openFile(path string, flags int, mode os.FileMode) (*os.File, error) {
	return os.OpenFile(path, flags, mode)
}

// renameOver gives a file the name of another one in its directory, which the
// caller has locked, or which is not there: then it is nil.
func renameOver(_ *os.File, from, to string) error { return os.Rename(from, to) }

// syncDir makes new and renamed files of a directory survive a loss of power.
func syncDir(dir string) error {
	d, err := os.Open(filepath.Clean(dir))
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
