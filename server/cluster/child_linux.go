package cluster

import "syscall"

// tie ties the child's life to ours: a killed hewd must not leave a server behind.
func tie(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGINT }
