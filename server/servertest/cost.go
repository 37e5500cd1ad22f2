package servertest

import (
	"math"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
)

// HoldToBar reports what a GET costs Postgres in milliseconds, and fails the benchmark if that is
// more than the bar; 0: there is none.
func (s *Server) HoldToBar(b *testing.B, token, path string, bar float64) {
	b.Helper()
	ms := s.PostgresTime(b, func() {
		r := s.Do(b, token, "GET", path, nil)
		require.Equal(b, http.StatusOK, r.Status, path)
	})
	b.ReportMetric(ms, "ms-Postgres/op")
	b.ReportMetric(0, "ns/op")
	if bar > 0 && ms > bar {
		b.Errorf("%.1f ms of Postgres, more than %.0f", ms, bar)
	}
}

// PostgresTime returns the milliseconds that Postgres spends on what is done, planning included, as
// the least of five.
func (s *Server) PostgresTime(t testing.TB, do func()) float64 {
	t.Helper()
	require.NoError(t, s.Store.Exec(t.Context(), `create extension if not exists pg_stat_statements`, nil))
	least := math.Inf(1)
	for range 5 {
		require.NoError(t, s.Store.Exec(t.Context(), `select pg_stat_statements_reset()`, nil))
		do()
		ms, err := db.Value[float64](t.Context(), s.Store, `
			select coalesce(sum(total_exec_time + total_plan_time), 0) from pg_stat_statements
			where query !~ 'pg_stat|river_'`, nil)
		require.NoError(t, err)
		least = min(least, ms)
	}
	return least
}
