package duration_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/work/duration"
)

func TestParseCalendar(t *testing.T) {
	t.Parallel()
	const day = 24 * 3600
	for text, seconds := range map[string]int64{
		"1 day": day, "2h 20min": 8400, "3 weeks and 2 days": 23 * day, "42": 42, "one week": 7 * day,
		"47 yrs 6 mos and 4d": 47*31_557_600 + 184*day, "30 minutes": 1800, "5 min": 300, "1:30": 90, "1 Day": day,
		"1h, 5m": 3900, "1 mo": 30 * day, "90 sec": 90,
	} {
		got, ok := duration.ParseCalendar(text)
		require.True(t, ok, text)
		require.Equal(t, seconds, got, text)
	}
	for _, text := range []string{"", "0", "foo", "1 fortnight", "-1h", "1h foo", "never", ":", "1:x",
		strings.Repeat("9", 30), strings.Repeat("1h ", 1000)} {
		_, ok := duration.ParseCalendar(text)
		require.False(t, ok, text)
	}
}
