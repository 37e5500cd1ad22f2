//go:build unix && !linux

package cluster

import "syscall"

// setDeathSignal does nothing: only Linux has a death signal. After a kill -9 the next start names
// the process that is left.
func setDeathSignal(*syscall.SysProcAttr) {}
