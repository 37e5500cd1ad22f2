package api_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/getsentry/sentry-go"
	"github.com/stretchr/testify/require"

	"hew/server/db"
)

// Programs that send 10,000 events in a minute are told to stop by the limit of their project, and
// the SDK does. What was taken in is counted exactly, and no more rows are there.
func TestSDKAtVolume(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	const programs, each, kinds = 4, 2_500, 40
	var all sync.WaitGroup
	for program := range programs {
		client, err := sentry.NewClient(sentry.ClientOptions{Dsn: s.dsn, Transport: sentry.NewHTTPSyncTransport()})
		require.NoError(t, err)
		hub := sentry.NewHub(client, sentry.NewScope())
		all.Go(func() {
			for n := range each {
				hub.WithScope(func(scope *sentry.Scope) {
					scope.SetUser(sentry.User{ID: fmt.Sprint(program, n%7)})
					scope.SetFingerprint([]string{fmt.Sprint(n % kinds)})
					hub.CaptureMessage("too many")
				})
			}
		})
	}
	all.Wait()
	count := func(sql string) int {
		n, err := db.Value[int](t.Context(), s.Store, sql, nil)
		require.NoError(t, err)
		return n
	}
	taken := count(`select sum(event_count)::int from errors`)
	require.Positive(t, taken)
	// A minute can end while the events come; then the next one has the same limit.
	require.LessOrEqual(t, taken, 2*1_000)
	require.Less(t, taken, programs*each)
	require.Equal(t, kinds, count(`select count(*)::int from errors`))
	require.Equal(t, taken, count(`select count(*)::int from error_events`))
	require.LessOrEqual(t, count(`select count(*)::int from error_users`), kinds*programs*7)
}
