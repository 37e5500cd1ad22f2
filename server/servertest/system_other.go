//go:build !linux

package servertest

import "syscall"

// spacious is where the cluster is kept.
func spacious() string { return "/tmp" }

// mortal would have a child end with us, however we end; outside Linux there is no way to say so.
func mortal() *syscall.SysProcAttr { return nil }
