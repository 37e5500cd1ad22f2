package ledger

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/reconcile/addr"
	"hew/server/servertest"
)

func reloaded(t *testing.T, b Backend) *Ledger {
	t.Helper()
	l, _, err := Open(t.Context(), b, host)
	require.NoError(t, err)
	return l
}

func TestBackendsKeepWhatIsAppended(t *testing.T) {
	backends(t, func(t *testing.T, reopen func(string) Backend) {
		b := reopen(testKey)
		lineage := reloaded(t, b).Lineage
		require.NoError(t, b.Compact(t.Context()), "there is nothing yet")
		require.NoError(t, b.Append(t.Context()))
		require.NoError(t, b.Append(t.Context(), delta(2), delta(1), delta(10)))
		require.NoError(t, b.Append(t.Context(), Delta{Addr: delta(2).Addr}))
		require.NoError(t, b.Compact(t.Context()))
		l := reloaded(t, reopen(testKey))
		require.Equal(t, lineage, l.Lineage)
		require.Equal(t, host, l.Host)
		require.Equal(t, []addr.Instance{delta(1).Addr, delta(10).Addr}, l.Sorted())
		require.Equal(t, *delta(10).Entry, l.Entries[delta(10).Addr])
		require.Positive(t, l.Serial)
		require.Empty(t, l.KeyFingerprint, "no secret was digested")
	})
}

func TestBackendsRefuseWhatIsStale(t *testing.T) {
	backends(t, func(t *testing.T, reopen func(string) Backend) {
		first, second := reopen(testKey), reopen(testKey)
		if first == second {
			t.Skip("there is one of it, which is never stale")
		}
		for round := range 2 { // on no ledger, and on one
			reloaded(t, first)
			reloaded(t, second)
			require.NoError(t, second.Append(t.Context(), delta(round)))
			var stale *StaleError
			require.ErrorAs(t, first.Append(t.Context(), delta(9)), &stale)
			require.NotContains(t, reloaded(t, first).Entries, delta(9).Addr)
			require.NoError(t, first.Append(t.Context(), delta(10+round)), "once it knows, it goes on")
		}
		require.Len(t, reloaded(t, second).Entries, 4)
	})
}

func TestBackendsLoseNothingAtOnce(t *testing.T) {
	backends(t, func(t *testing.T, reopen func(string) Backend) {
		var all sync.WaitGroup
		var runs []Backend // all of them first, for opening the one in memory changes it
		for range 3 {
			runs = append(runs, WithLockTimeout(reopen(testKey), time.Minute))
		}
		for run, b := range runs {
			all.Go(func() {
				unlock, err := b.Lock(t.Context(), "a run")
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := b.Load(t.Context()); err != nil {
					t.Error(err)
				}
				var appends sync.WaitGroup
				for i := range 20 {
					appends.Go(func() {
						if err := b.Append(t.Context(), delta(100*run+i)); err != nil {
							t.Error(err)
						}
					})
				}
				appends.Wait()
				if err := unlock(); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		require.Len(t, reloaded(t, reopen(testKey)).Entries, 60)
	})
}

// TestLocksOfTheKilled kills the holder of a lock. In a file and in Postgres the lock ends with it;
// on a server of states it stays, and can be released by its ID.
func TestLocksOfTheKilled(t *testing.T) {
	for name, where := range map[string]string{"file": filepath.Join(t.TempDir(), "ledger.json"),
		"http": newStates(t).URL + "/a", "postgres": servertest.URL(t)} {
		t.Run(name, func(t *testing.T) {
			child, lines := start(t, "lock", where)
			require.True(t, lines.Scan())
			b, err := open(where)
			require.NoError(t, err)
			var locked *LockedError
			_, err = b.Lock(t.Context(), "this run")
			require.ErrorAs(t, err, &locked)
			require.Equal(t, child.Process.Pid, locked.Holder.PID)
			require.Equal(t, "the other run", locked.Holder.Who)
			require.NoError(t, child.Process.Kill())
			child.Wait()

			if name == "http" {
				_, err = b.Lock(t.Context(), "this run")
				require.ErrorAs(t, err, &locked)
				require.ErrorContains(t, err, "hew ledger unlock "+locked.ID)
				require.ErrorContains(t, ForceUnlock(t.Context(), b, "another"),
					"has the ID "+locked.ID+", not another")
				require.NoError(t, ForceUnlock(t.Context(), b, locked.ID))
			}
			unlock, err := WithLockTimeout(b, time.Minute).Lock(t.Context(), "this run")
			require.NoError(t, err)
			require.NoError(t, unlock())
		})
	}
}

// TestFreedLocksKeepTheirHoldersOut: after ForceUnlock, the former holder cannot write.
func TestFreedLocksKeepTheirHoldersOut(t *testing.T) {
	for name, where := range map[string]string{"http": newStates(t).URL + "/a", "postgres": servertest.URL(t)} {
		t.Run(name, func(t *testing.T) {
			hung, err := open(where)
			require.NoError(t, err)
			_, err = hung.Lock(t.Context(), "hung")
			require.NoError(t, err)
			reloaded(t, hung)
			b, err := open(where)
			require.NoError(t, err)
			var locked *LockedError
			_, err = b.Lock(t.Context(), "next")
			require.ErrorAs(t, err, &locked)
			require.NoError(t, ForceUnlock(t.Context(), WithLockTimeout(b, time.Second), locked.ID))
			_, err = b.Lock(t.Context(), "next")
			require.NoError(t, err)
			require.Error(t, hung.Append(t.Context(), delta(1)))
			require.Empty(t, reloaded(t, b).Entries)
		})
	}
}

func TestRemoteLedgersTakeAKey(t *testing.T) {
	for _, where := range []string{newStates(t).URL, servertest.URL(t)} {
		b, err := HTTP(HTTPConfig{Address: where})
		if strings.Contains(where, "dbname=") {
			b, err = Postgres(PostgresConfig{URL: where})
		}
		require.NoError(t, err)
		_, _, err = Open(t.Context(), b, host)
		require.ErrorContains(t, err, "openssl rand -base64 32")
		require.ErrorContains(t, err, KeyVariable)
	}
}

// TestErrorsHoldNoPassword: no error shows the secret part of an address.
func TestErrorsHoldNoPassword(t *testing.T) {
	const secret = "hunter2hunter2"
	var said []error
	for _, address := range []string{"http://me:" + secret + "@127.0.0.1:1/a?token=" + secret, "ftp://me:" + secret +
		"@x", "http://%zz" + secret} {
		b, err := HTTP(HTTPConfig{Address: address, LockAddress: address, Key: testKey})
		if err == nil {
			b.(*remoteBackend).store.(*httpStore).sleep = func(context.Context, time.Duration) error { return nil }
			_, err = b.Load(t.Context())
			_, locking := b.Lock(t.Context(), "me")
			said = append(said, locking)
		}
		said = append(said, err)
	}
	for _, url := range []string{"postgres://me:" + secret + "@127.0.0.1:1/a", "postgres://me:" + secret + "@:x/a"} {
		b, err := Postgres(PostgresConfig{URL: url, Key: testKey})
		if err == nil {
			_, err = b.Load(t.Context())
		}
		said = append(said, err)
	}
	for _, err := range said {
		require.Error(t, err)
		require.NotContains(t, err.Error(), secret)
	}
}
