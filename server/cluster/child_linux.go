package cluster

import "syscall"

// childAttr ties the child's life to ours: a killed hewd must not leave a server behind.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGINT}
}
