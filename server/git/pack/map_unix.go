//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package pack

import (
	"os"
	"syscall"
)

func mapFile(file *os.File, size int) ([]byte, error) {
	return syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
}

func unmapFile(data []byte) error { return syscall.Munmap(data) }
