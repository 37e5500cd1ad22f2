package filelock

import (
	"os"

	"golang.org/x/sys/windows"
)

var errHeld error = windows.ERROR_LOCK_VIOLATION

// tryLock locks one byte past the end of any file, because nobody else can read a locked region.
func tryLock(f *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	pastEnd := &windows.Overlapped{OffsetHigh: 1 << 30}
	return os.NewSyscallError("LockFileEx", windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, pastEnd))
}
