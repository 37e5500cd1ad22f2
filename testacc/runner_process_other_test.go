//go:build !unix

package testacc

import "os/exec"

// killWithChildren leaves a command as it is: on systems without process groups its children end by
// themselves.
func killWithChildren(*exec.Cmd) {}
