package ledger

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// How flock locks. A lock belongs to the open file: it ends with the process, however that ends,
// and it also holds between two opens of one process.
const (
	shared    = 0
	exclusive = windows.LOCKFILE_EXCLUSIVE_LOCK
	noWait    = windows.LOCKFILE_FAIL_IMMEDIATELY
)

// errHeld is what flock returns with noWait if another process holds the lock.
var errHeld error = windows.ERROR_LOCK_VIOLATION

// flock locks an open file until it is closed. On Windows nobody else can read a locked region, so
// it locks one byte past the end of any file, and readers are not kept out.
func flock(f *os.File, how int) error {
	pastEnd := &windows.Overlapped{OffsetHigh: 1 << 30}
	return os.NewSyscallError("LockFileEx", windows.LockFileEx(windows.Handle(f.Fd()), uint32(how), 0, 1, 0, pastEnd))
}

// openFile opens a file that others may remove or replace while it is open. Windows allows that
// only for files that an os.Root opened.
func openFile(path string, flags int, mode os.FileMode) (f *os.File, err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // an os.Root follows no link that leads out of it
	}
	err = inDir(path, func(dir *os.Root, name string) error {
		f, err = dir.OpenFile(name, flags, mode)
		return err
	})
	return f, err
}

// renameOver renames a file over another one in its directory. locked is the handle of the replaced
// file, nil if there is none. Some file systems (network shares, not NTFS) cannot replace an open
// file: there the file lock ends just before, and the lock of the run still keeps others out.
func renameOver(locked *os.File, from, to string) error {
	err := inDir(to, func(dir *os.Root, name string) error { return dir.Rename(filepath.Base(from), name) })
	if locked == nil || !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return errors.Join(locked.Close(), os.Rename(from, to))
}

// inDir calls do with the directory of a file and its name there.
func inDir(path string, do func(dir *os.Root, name string) error) error {
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(do(dir, filepath.Base(path)), dir.Close())
}

// syncDir does nothing: directories cannot be flushed on Windows, and NTFS keeps a journal of
// names.
func syncDir(string) error { return nil }
