package ledger

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

func TestLockKeepsOthersOut(t *testing.T) {
	backends(t, func(t *testing.T, reopen func(string) Backend) {
		first, second := reopen(testKey), reopen(testKey)
		unlock, err := first.Lock(t.Context(), "first")
		require.NoError(t, err)

		var locked *LockedError
		_, err = second.Lock(t.Context(), "second")
		require.ErrorAs(t, err, &locked)
		require.Equal(t, "first", locked.Holder.Who)

		ended, cancel := context.WithTimeout(t.Context(), time.Minute)
		cancel()
		_, err = second.Lock(ended, "second")
		require.ErrorIs(t, err, context.Canceled)

		_, err = WithLockTimeout(second, 0).Lock(t.Context(), "second")
		require.ErrorAs(t, err, &locked)
		_, err = WithLockTimeout(second, time.Millisecond).Lock(t.Context(), "second")
		require.ErrorAs(t, err, &locked, "a wait that was in vain tells for whom")

		waited := make(chan error)
		go func() {
			unlock, err := WithLockTimeout(second, time.Minute).Lock(t.Context(), "second")
			if err == nil {
				err = unlock()
			}
			waited <- err
		}()
		require.NoError(t, unlock())
		require.NoError(t, <-waited)
	})
}

// TestLockIsHeldByOne locks and unlocks from four goroutines: two never hold the lock.
func TestLockIsHeldByOne(t *testing.T) {
	backends(t, func(t *testing.T, reopen func(string) Backend) {
		var inside atomic.Int32
		var wg sync.WaitGroup
		for range 4 {
			b := reopen(testKey)
			wg.Go(func() {
				for taken := 0; taken < 50; {
					unlock, err := b.Lock(t.Context(), "one of four")
					if err != nil {
						continue
					}
					if inside.Add(1) != 1 {
						t.Error("two at once")
					}
					taken++
					inside.Add(-1)
					if err := unlock(); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
	})
}

func TestLockedByTheUnknown(t *testing.T) {
	require.ErrorContains(t, &LockedError{Where: "x"}, "the ledger x is locked by another run. Wait")
}

// TestPostgresLockIsFreeAtOnce locks and unlocks in a loop: unlock returns only after the lock is
// released.
func TestPostgresLockIsFreeAtOnce(t *testing.T) {
	t.Parallel()
	url := servertest.URL(t)
	for range 50 {
		b, err := Postgres(PostgresConfig{URL: url, Key: testKey})
		require.NoError(t, err)
		unlock, err := b.Lock(t.Context(), "me")
		require.NoError(t, err)
		require.NoError(t, unlock())
	}
}
