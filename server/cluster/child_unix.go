//go:build unix && !linux

package cluster

import "syscall"

// childAttr has no death signal outside Linux: after a kill -9 the next start names the process that is left.
func childAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
