package ledger

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// childEnv makes the test binary the process that is killed: it names one of children, which works
// on the ledger in the first argument until then.
const childEnv = "HEW_LEDGER_TEST_CHILD"

var children = map[string]func(b Backend){
	"append": appendForever,
	"lock":   lockForever,
}

func TestMain(m *testing.M) {
	if child := children[os.Getenv(childEnv)]; child != nil {
		b, err := open(os.Args[1])
		if err != nil {
			panic(err)
		}
		child(b)
		return
	}
	servertest.Main(m)
}

// open returns the backend for an address or path.
func open(where string) (Backend, error) {
	switch {
	case strings.Contains(where, "dbname="):
		return Postgres(PostgresConfig{URL: where, Key: testKey})
	case strings.HasPrefix(where, "http://"):
		return HTTP(HTTPConfig{Address: where, LockAddress: where + "/lock", Key: testKey})
	}
	return File(where, testKey), nil
}

// start runs a child on a ledger; lines scans its output.
func start(t *testing.T, what, path string) (child *exec.Cmd, lines *bufio.Scanner) {
	t.Helper()
	child = exec.Command(os.Args[0], path)
	child.Env = append(os.Environ(), childEnv+"="+what)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	t.Cleanup(func() {
		child.Process.Kill() // where the test has not got to it
		child.Wait()
	})
	return child, bufio.NewScanner(out)
}

// appendForever prints each address once it is durable.
func appendForever(b Backend) {
	must(b, func(l *Ledger) {
		var wg sync.WaitGroup
		for g := range 4 {
			wg.Go(func() {
				for i := len(l.Entries) + g; ; i += 4 {
					if err := b.Append(context.Background(), delta(i)); err != nil {
						panic(err)
					}
					fmt.Println(delta(i).Addr)
				}
			})
		}
		wg.Go(func() {
			for {
				if err := b.Compact(context.Background()); err != nil {
					panic(err)
				}
			}
		})
		wg.Wait()
	})
}

func lockForever(b Backend) {
	must(b, func(*Ledger) {
		if _, err := b.Lock(context.Background(), "the other run"); err != nil {
			panic(err)
		}
		fmt.Println("locked")
		select {}
	})
}

func must(b Backend, work func(*Ledger)) {
	l, _, err := Open(context.Background(), b, host)
	if err != nil {
		panic(err)
	}
	work(l)
}

// TestKilled kills a process amid appends and compactions, many times on one ledger. Every append
// that it reported as done is there and whole.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.json")
	acknowledged := map[string]bool{}
	for round := range 15 {
		child, lines := start(t, "append", path)
		for n := 0; n <= round*7 && lines.Scan(); n++ {
			acknowledged[lines.Text()] = true
		}
		require.NoError(t, child.Process.Kill())
		for lines.Scan() { // printed before it died
			acknowledged[lines.Text()] = true
		}
		child.Wait()

		l, notes := stored(t, &fileBackend{path: path})
		require.LessOrEqual(t, len(notes), 1)
		for a, e := range l.Entries {
			require.Equal(t, a.Key, e.ID, "each entry is the one that was appended")
			delete(acknowledged, a.String())
		}
		require.Empty(t, acknowledged, "lost in round %d", round)
		for a := range l.Entries {
			acknowledged[a.String()] = true
		}
	}
	require.NotEmpty(t, acknowledged)
}

func TestLockEndsWithItsProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".hew", "ledger.json")
	child, lines := start(t, "lock", path)
	require.True(t, lines.Scan())
	b := File(path, testKey)
	_, err := b.Lock(t.Context(), "this run")
	var locked *LockedError
	require.ErrorAs(t, err, &locked)
	require.Equal(t, "the other run", locked.Holder.Who)
	require.Equal(t, child.Process.Pid, locked.Holder.PID)
	require.False(t, locked.Holder.Since.IsZero())
	require.ErrorContains(t, err, fmt.Sprintf("the other run (process %d on ", child.Process.Pid))

	require.NoError(t, child.Process.Kill())
	child.Wait()
	unlock, err := b.Lock(t.Context(), "this run")
	require.NoError(t, err)
	require.NoError(t, unlock())
	require.NoFileExists(t, path+lockSuffix)
	ignored, err := os.ReadFile(filepath.Join(filepath.Dir(path), ".gitignore"))
	require.NoError(t, err)
	require.Equal(t, "/key /ledger.json.lock /ledger.json.new", strings.Join(strings.Fields(string(ignored)), " "))
}
