package cluster

import (
	"errors"
	"os"
	"syscall"
)

// errNone says why there can be no private Postgres on this system: it is kept apart by a unix socket that only its owner can
// open, a user to run as, and signals.
var errNone = errors.New("hewd runs no private Postgres on Windows: give it a server by --database-url or HEWD_DATABASE_URL")

// Nothing of the following is ever asked.

func (identity) childAttr() *syscall.SysProcAttr { return nil }

func owner(os.FileInfo) (uid, gid uint32) { return 0, 0 }

func alive(int) bool { return false }
