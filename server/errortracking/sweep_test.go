package errortracking_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/errortracking"
	"hew/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// However many events are counted, the latest are kept; and errors that nobody has seen for long,
// or that are too many, go.
func TestSweep(t *testing.T) {
	t.Parallel()
	w := servertest.NewWorld(t)
	ctx := t.Context()
	alice := w.User("alice")
	p := w.Project("shop", w.Group("acme", nil, alice.ID).ID, alice.ID)
	report := read(t, `{"message":"m"}`)
	for n := range errortracking.MaxEvents + 5 {
		report.EventID = fmt.Sprintf("%032x", n)
		require.NoError(t, errortracking.Receive(ctx, w.Store, p.ID, report))
	}
	for range 2 {
		require.NoError(t, errortracking.Sweep(ctx, w.Store))
	}
	e, err := errortracking.Errors(w.Store, p.Container()).One(ctx, errortracking.ByFingerprint(report.Fingerprint))
	require.NoError(t, err)
	require.EqualValues(t, errortracking.MaxEvents+5, e.EventCount)
	require.Equal(t, errortracking.MaxEvents, e.KeptEvents)
	events, total, err := errortracking.Events(ctx, w.Store, e, db.Page{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, errortracking.MaxEvents, total)
	require.Equal(t, report.EventID, events[0].EventID, "the latest stays")

	require.NoError(t, w.Exec(ctx, `
		insert into errors (project_id, fingerprint, name, description, actor, level, platform, last_seen_at)
		select project_id, n::text, '', '', '', '', '', now() - interval '1 day' * (n % 100)
		from errors, generate_series(1, 5300) n`, nil))
	require.NoError(t, errortracking.Sweep(ctx, w.Store))
	n, err := db.Value[int](ctx, w.Store,
		`select count(*) from errors where last_seen_at < now() - interval '90 days'`, nil)
	require.NoError(t, err)
	require.Zero(t, n)
	require.NoError(t, w.Exec(ctx, `update errors set last_seen_at = now()`, nil))
	require.NoError(t, w.Exec(ctx, `
		insert into errors (project_id, fingerprint, name, description, actor, level, platform, last_seen_at)
		select project_id, 'a' || n, '', '', '', '', '', now() - interval '1 hour'
		from (select project_id from errors limit 1) e, generate_series(1, 900) n`, nil))
	require.NoError(t, errortracking.Sweep(ctx, w.Store))
	list, total, err := errortracking.Errors(w.Store, p.Container()).List(ctx, db.Page{Limit: 1, Order: "last_seen"})
	require.NoError(t, err)
	require.Equal(t, errortracking.MaxErrors, total)
	require.Equal(t, "a", list[0].Fingerprint[:1])
}
