package servertest

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/cluster"
)

var transactionsPerSecond = regexp.MustCompile(`tps = ([0-9.]+)`)

// PgBench returns how many transactions a second pgbench -N makes with so many clients, in a
// database of its own in the Postgres of the tests: each updates a row and inserts another.
func PgBench(b *testing.B, clients int, during time.Duration) (perSecond float64) {
	b.Helper()
	bin, err := cluster.FindBin("")
	require.NoError(b, err)
	url := URL(b)
	run := func(args ...string) string {
		program := filepath.Join(bin, "pgbench")
		out, err := exec.CommandContext(b.Context(), program, append(args, url)...).CombinedOutput()
		require.NoError(b, err, "%s", out)
		return string(out)
	}
	run("-i", "-q", "-s", "10")
	out := run("-N", "-c", strconv.Itoa(clients), "-j", "2", "-T", strconv.Itoa(max(1, int(during.Seconds()))))
	found := transactionsPerSecond.FindStringSubmatch(out)
	require.NotNil(b, found, out)
	perSecond, err = strconv.ParseFloat(found[1], 64)
	require.NoError(b, err)
	return perSecond
}
