//go:build !linux

package servertest

import "syscall"

// clusterParent returns the directory for the cluster.
func clusterParent() string { return "/tmp" }

// endWithParent returns nil: only on Linux can a child be killed when this process ends.
func endWithParent() *syscall.SysProcAttr { return nil }
