package cluster

import (
	"errors"
	"os"
	"syscall"
)

// errUnsupported says why this system cannot run a private Postgres: it takes a unix socket that
// only its owner can open, a user to run as, and signals.
var errUnsupported = errors.New("hewd cannot run a private Postgres on Windows: " +
	"set --database-url or HEWD_DATABASE_URL")

// The following functions are never called.

func (identity) childAttr() *syscall.SysProcAttr { return nil }

func fileOwner(os.FileInfo) (uid, gid uint32) { return 0, 0 }

func processExists(int) bool { return false }
