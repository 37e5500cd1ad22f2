package tree_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/tree"
)

func TestNextRunFollowsCadence(t *testing.T) {
	t.Parallel()
	at := func(text string) time.Time {
		when, err := time.Parse(time.DateTime, text)
		require.NoError(t, err)
		return when
	}
	for _, c := range []struct{ cadence, now, next string }{
		{"1d", "2026-01-10 12:00:00", "2026-01-11 12:00:00"},
		{"1d", "2026-01-11 12:00:00", "2026-01-12 12:00:00"},
		{"1d", "2026-03-01 11:00:00", "2026-03-01 12:00:00"},
		{"7d", "2026-01-10 12:00:01", "2026-01-17 12:00:00"},
		{"14d", "2026-02-01 00:00:00", "2026-02-07 12:00:00"},
		{"1month", "2026-02-10 11:00:00", "2026-02-10 12:00:00"},
		{"1month", "2036-02-10 13:00:00", "2036-03-10 12:00:00"},
		{"3month", "2026-01-10 12:00:00", "2026-04-10 12:00:00"},
	} {
		p := tree.ExpirationPolicy{Cadence: c.cadence}
		require.Equal(t, at(c.next), p.NextRun(at("2026-01-10 12:00:00"), at(c.now)), c)
	}
}
