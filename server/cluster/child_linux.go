package cluster

import "syscall"

// setDeathSignal has the child interrupted when we die, so that a killed hewd leaves no server
// behind.
func setDeathSignal(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGINT }
