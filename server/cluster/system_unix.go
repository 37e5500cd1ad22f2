//go:build unix

package cluster

import (
	"os"
	"syscall"
)

// errUnsupported says why this system cannot run a private Postgres; nil if it can.
var errUnsupported error

// childAttr returns the attributes of a program that runs as the identity, in its own process
// group.
func (id identity) childAttr() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if id.drop {
		attr.Credential = &syscall.Credential{Uid: id.uid, Gid: id.gid}
	}
	setDeathSignal(attr)
	return attr
}

// fileOwner returns the owner of a file.
func fileOwner(info os.FileInfo) (uid, gid uint32) {
	stat := info.Sys().(*syscall.Stat_t)
	return stat.Uid, stat.Gid
}

// processExists reports whether there is a process with that id.
func processExists(pid int) bool { return syscall.Kill(pid, 0) != syscall.ESRCH }
