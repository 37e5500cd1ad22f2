//go:build unix

package testacc

import (
	"os/exec"
	"syscall"
)

// killWithChildren has a command that is canceled take its children with it.
func killWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
