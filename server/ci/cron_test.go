package ci_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/ci"
)

func TestNextRun(t *testing.T) {
	t.Parallel()
	after := time.Date(2026, 3, 27, 12, 30, 0, 0, time.UTC) // a Friday; two days later summer time begins in Berlin
	for _, c := range []struct{ cron, zone, next string }{
		{"0 4 * * *", "UTC", "2026-03-28T04:00:00Z"},
		{"30 12 * * *", "UTC", "2026-03-28T12:30:00Z"},
		{"*/20 * * * *", "UTC", "2026-03-27T12:40:00Z"},
		{"0 9-17/4 * * mon-fri", "UTC", "2026-03-27T13:00:00Z"},
		{"0 0 * * 7", "UTC", "2026-03-29T00:00:00Z"},
		{"0 0 * * MON#1", "UTC", "2026-04-06T00:00:00Z"},
		{"0 0 L * *", "UTC", "2026-03-31T00:00:00Z"},
		{"0 0 1 * SUN", "UTC", "2026-03-29T00:00:00Z"}, // either of the two
		{"0 4 * * *", "Europe/Berlin", "2026-03-28T03:00:00Z"},
		{"0 4 29 3 *", "Europe/Berlin", "2026-03-29T02:00:00Z"},
		{"0 4 * * *", "Pacific Time (US & Canada)", "2026-03-28T11:00:00Z"}, // summer time since March 8
		{"0 4 31 2 *", "UTC", "never"},
	} {
		next, err := ci.NextRun(c.cron, c.zone, after)
		require.NoError(t, err, c.cron)
		got := "never"
		if next != nil {
			got = next.Format(time.RFC3339)
		}
		require.Equal(t, c.next, got, "%s in %s", c.cron, c.zone)
	}
	for _, cron := range []string{"", "* * * *", "* * * * * *", "60 * * * *", "a b c d e", "@daily"} {
		_, err := ci.NextRun(cron, "UTC", after)
		require.Error(t, err, cron)
	}
	_, err := ci.NextRun("0 4 * * *", "Local", after)
	require.Error(t, err)
}
