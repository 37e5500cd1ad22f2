//go:build unix

package ledger

import (
	"context"
	"fmt"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func init() { children["full"] = appendUntilFull }

// appendUntilFull appends until a limit of 2,000 bytes, then once more without the limit.
func appendUntilFull(b Backend) {
	must(b, func(*Ledger) {
		signal.Ignore(syscall.SIGXFSZ)
		var unlimited syscall.Rlimit
		syscall.Getrlimit(syscall.RLIMIT_FSIZE, &unlimited)
		limit := func(n uint64) {
			if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: unlimited.Max}); err != nil {
				panic(err)
			}
		}
		limit(2000)
		var failure error
		for i := 0; failure == nil; i++ {
			if failure = b.Append(context.Background(), delta(i)); failure == nil {
				fmt.Println(delta(i).Addr)
			}
		}
		fmt.Println(failure)
		limit(unlimited.Cur)
		fmt.Println(b.Append(context.Background(), delta(1000)))
	})
}

func TestDiskFull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.json")
	_, lines := start(t, "full", path)
	var said []string
	for lines.Scan() {
		said = append(said, lines.Text())
	}
	require.Greater(t, len(said), 5)
	failure, retry := said[len(said)-2], said[len(said)-1]
	require.Contains(t, failure, "file too large")
	require.Equal(t, "<nil>", retry)
	l, notes := stored(t, &fileBackend{path: path})
	require.Empty(t, notes, "what did not fit was taken away again")
	require.Len(t, l.Entries, len(said)-1)
	require.Contains(t, l.Entries, delta(1000).Addr)
}
