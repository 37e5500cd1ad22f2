package servertest

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/db"
)

// OwnCPU returns the CPU time of this process: the server's, unless the clients are in it, too.
func OwnCPU(t testing.TB) time.Duration {
	t.Helper()
	_, cpu, ok := process(os.Getpid())
	require.True(t, ok)
	return cpu
}

// PostgresCPU returns the CPU time of all processes of Postgres that run now. The kernel counts it
// in hundredths of a second.
func (s *Server) PostgresCPU(t testing.TB) (sum time.Duration) {
	t.Helper()
	backend, err := db.Value[int](t.Context(), s.Store, `select pg_backend_pid()`, nil)
	require.NoError(t, err)
	first, _, ok := process(backend)
	require.True(t, ok)
	entries, err := os.ReadDir("/proc")
	require.NoError(t, err)
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if parent, cpu, ok := process(pid); ok && (pid == first || parent == first) {
			sum += cpu
		}
	}
	return sum
}

// process reads the parent and the CPU time of a process that may just have ended.
func process(pid int) (parent int, cpu time.Duration, ok bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, false
	}
	_, rest, _ := strings.Cut(string(stat), ") ") // behind the name, which may hold anything else
	fields := strings.Fields(rest)
	parent, _ = strconv.Atoi(fields[1])
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return parent, time.Duration(user+system) * 10 * time.Millisecond, true
}
