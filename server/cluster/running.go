package cluster

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Exists reports whether there is a cluster in a data directory, or where it would be instead.
func Exists(dir string) (bool, error) {
	if errUnsupported != nil {
		return false, errUnsupported
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false, err
	}
	for _, at := range []string{dir, insteadOf(dir)} {
		if _, err := os.Stat(filepath.Join(at, "PG_VERSION")); err == nil {
			return true, nil
		}
	}
	return false, nil
}

// RunningURL returns the connection string of a database in the cluster that another process runs
// in a data directory, "" if none does.
func RunningURL(dir, database string) (string, error) {
	if errUnsupported != nil {
		return "", errUnsupported
	}
	id, err := runAs(os.Geteuid())
	if err != nil {
		return "", err
	}
	c := &Cluster{}
	if c.dir, _, err = id.chooseDir(dir); err != nil {
		return "", err
	}
	lines := c.lockFile() // the pid is in line 1, the socket's directory in line 5
	if statusOf(lines) != "ready" {
		return "", nil
	}
	if pid, err := strconv.Atoi(lines[0]); err != nil || !processExists(pid) {
		return "", nil
	}
	c.sockets = lines[4]
	return c.URL(database), nil
}

// lockName is the name of the lock file in the directory of a server, lockTaken what a server says
// that finds the one of another server.
const (
	lockName  = "postmaster.pid"
	lockTaken = `lock file "` + lockName + `" already exists`
)

// lockFile returns the lines of the lock file; nil if there is none.
func (c *Cluster) lockFile() []string {
	text, err := os.ReadFile(filepath.Join(c.dir, lockName))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// statusOf returns what a lock file says of its server: starting, ready, stopping; "" if there is
// none.
func statusOf(lockFile []string) string {
	if len(lockFile) < 8 {
		return ""
	}
	return strings.TrimSpace(lockFile[7])
}
