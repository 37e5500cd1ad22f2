//go:build unix && !linux

package cluster

import "syscall"

// tie does nothing, for there is no death signal outside Linux: after a kill -9 the next start names the process that is left.
func tie(*syscall.SysProcAttr) {}
