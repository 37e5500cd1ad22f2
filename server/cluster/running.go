package cluster

import (
	"os"
	"strconv"
	"strings"
)

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
	if len(lines) < 8 || strings.TrimSpace(lines[7]) != "ready" {
		return "", nil
	}
	if pid, err := strconv.Atoi(lines[0]); err != nil || !processExists(pid) {
		return "", nil
	}
	c.sockets = lines[4]
	return c.URL(database), nil
}
