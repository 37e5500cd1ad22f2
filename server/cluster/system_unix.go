//go:build unix

package cluster

import (
	"os"
	"syscall"
)

// errNone says why there can be no private Postgres on this system.
var errNone error

// childAttr has a program run as the identity, apart from our terminal.
func (id identity) childAttr() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if id.drop {
		attr.Credential = &syscall.Credential{Uid: id.uid, Gid: id.gid}
	}
	tie(attr)
	return attr
}

// owner is whom a file belongs to.
func owner(info os.FileInfo) (uid, gid uint32) {
	stat := info.Sys().(*syscall.Stat_t)
	return stat.Uid, stat.Gid
}

// alive tells whether there is such a process.
func alive(pid int) bool { return syscall.Kill(pid, 0) != syscall.ESRCH }
