//go:build unix

package main

import (
	"os"
	"syscall"
)

// lockFile locks an open file until it is closed. It fails if another process has locked it.
func lockFile(f *os.File) error {
	return os.NewSyscallError("flock", syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB))
}
