package ledger

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// How a file is locked. Locks belong to the open file, so they end with the
// process, however it ends, and hold between two of one process too.
const (
	shared    = 0
	exclusive = windows.LOCKFILE_EXCLUSIVE_LOCK
	noWait    = windows.LOCKFILE_FAIL_IMMEDIATELY
)

// errHeld is the error of flock where noWait is given and somebody else has the
// lock.
var errHeld error = windows.ERROR_LOCK_VIOLATION

// flock locks an open file until it is closed. What is locked here cannot be
// read by others; so it is one byte that no file reaches, and nobody is kept
// from what the file says, as nobody is elsewhere.
func flock(f *os.File, how int) error {
	beyond := &windows.Overlapped{OffsetHigh: 1 << 30}
	return os.NewSyscallError("LockFileEx", windows.LockFileEx(windows.Handle(f.Fd()), uint32(how), 0, 1, 0, beyond))
}

// openFile opens a file that others may remove, and rename over, while it is
// open; that is allowed of files that an os.Root opened, and of no others.
func openFile(path string, flags int, mode os.FileMode) (f *os.File, err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // a root admits no link that leads out of it
	}
	err = within(path, func(dir *os.Root, name string) error {
		f, err = dir.OpenFile(name, flags, mode)
		return err
	})
	return f, err
}

// renameOver gives a file the name of another one in its directory, which the
// caller has locked, or which is not there: then it is nil. Where the file
// system cannot do that to an open file (NTFS can, many a share in the network
// cannot), the lock has to end just before; the run has its own lock still.
func renameOver(locked *os.File, from, to string) error {
	err := within(to, func(dir *os.Root, name string) error { return dir.Rename(filepath.Base(from), name) })
	if locked == nil || !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return errors.Join(locked.Close(), os.Rename(from, to))
}

// within does something to a file by its name in its directory.
func within(path string, do func(dir *os.Root, name string) error) error {
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(do(dir, filepath.Base(path)), dir.Close())
}

// syncDir has nothing to do: the file system keeps a journal of names, and
// directories cannot be flushed.
func syncDir(string) error { return nil }
