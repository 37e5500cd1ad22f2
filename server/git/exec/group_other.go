//go:build !unix

package exec

import "os/exec"

// killGroupOnCancel does nothing: without process groups the end of the context kills the process
// alone, and its children end with its pipes.
func killGroupOnCancel(*exec.Cmd) {}
