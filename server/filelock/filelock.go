// Package filelock tells whether a process that uses a file still runs. A lock belongs to the open
// file, so that it ends with the process, however that ends. Process ids do not tell: they are used
// again, and in containers two processes have the same one.
package filelock

import (
	"errors"
	"os"
)

// ErrHeld says that another process has locked a file, or this one by another handle.
var ErrHeld = errors.New("the file is locked")

// TryLock locks an open file until it is closed. It returns ErrHeld, without waiting, if the file
// is locked.
func TryLock(f *os.File) error {
	err := tryLock(f)
	if errors.Is(err, errHeld) {
		return ErrHeld
	}
	return err
}
