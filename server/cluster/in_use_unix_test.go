//go:build unix

package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// resumer lets a process go on when it is written what a cluster says of another one.
type resumer struct{ pid int }

func (r resumer) Write(p []byte) (int, error) {
	if strings.Contains(string(p), "Is another postmaster") {
		return len(p), syscall.Kill(r.pid, syscall.SIGCONT)
	}
	return len(p), nil
}

// The server that a killed hewd left behind may take longer than the grace to write its changes to
// disk.
func TestWaitsForTheOneThatStopsSlowly(t *testing.T) {
	t.Parallel()
	dir := initialise(t, filepath.Join(place(t), "postgres"))
	old := start(t, dir)
	checkpointer := childNamed(t, old.process.Pid, "checkpointer")
	require.NoError(t, syscall.Kill(checkpointer, syscall.SIGSTOP))
	t.Cleanup(func() { _ = syscall.Kill(checkpointer, syscall.SIGCONT) })
	require.NoError(t, old.process.Signal(syscall.SIGINT))
	require.Eventually(t, func() bool { return statusOf(old.lockFile()) == "stopping" }, time.Minute, time.Millisecond)
	c, err := Start(t.Context(), Config{Dir: dir, Dev: true, Log: resumer{checkpointer}, grace: time.Nanosecond})
	require.NoError(t, err)
	<-old.Done()
	require.NoError(t, c.Stop())
}

// childNamed returns the process of a Postgres that has a role.
func childNamed(t *testing.T, postgres int, role string) int {
	list, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", postgres))
	if err != nil {
		t.Skip("the system does not list the children of a process: ", err)
	}
	for child := range strings.FieldsSeq(string(list)) {
		line, err := os.ReadFile("/proc/" + child + "/cmdline")
		if err == nil && strings.Contains(string(line), role) {
			pid, err := strconv.Atoi(child)
			require.NoError(t, err)
			return pid
		}
	}
	require.FailNow(t, "Postgres has no "+role)
	return 0
}
