package duration_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/work/duration"
)

func TestParseAndFormat(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in      string
		seconds int64
		out     string
		hours   string // as out if empty
	}{
		{"1h", 3600, "1h", ""},
		{"90m", 5400, "1h 30m", ""},
		{"9h", 32400, "1d 1h", "9h"},
		{"1w 2d 3h", 212400, "1w 2d 3h", "59h"},
		{"1mo 2w 3d 4h 5m", 965100, "1mo 2w 3d 4h 5m", "268h 5m"},
		{"1y", 31557600, "1y", "8766h"},
		{"2", 7200, "2h", ""},
		{"1.5", 5400, "1h 30m", ""},
		{"0.5d", 14400, "4h", ""},
		{"-1h 30m", -5400, "-1h 30m", ""},
		{"3:30", 210, "3m 30s", ""},
		{"1,5h", 18000, "5h", ""},
		{"day", 28800, "1d", "8h"},
		{"1d1d", 57600, "2d", "16h"},
		{"1h foo", 3600, "1h", ""},
		{"1h30m", 5400, "1h 30m", ""},
		{"8h", 28800, "1d", "8h"},
		{"5d", 144000, "1w", "40h"},
		{"4w", 576000, "1mo", "160h"},
		{"12mo", 6912000, "12mo", "1920h"},
		{"10000h", 36000000, "62mo 2w", "10000h"},
		{"30", 108000, "3d 6h", "30h"},
		{"1h -30m", 5400, "1h 30m", ""},
		{"1:30:15", 5415, "1h 30m 15s", ""},
		{"two hours", 7200, "2h", ""},
		{"1 hour and 5 minutes", 3900, "1h 5m", ""},
		{"77h", 277200, "1w 4d 5h", "77h"},
		{"45s", 45, "45s", ""},
		{"2w4d", 403200, "2w 4d", "112h"},
		{" 3h ", 10800, "3h", ""},
		{"twenty five minutes", 1500, "25m", ""},
		{"Twenty-Five MIN, ten secs", 1510, "25m 10s", ""},
		{"twenty hours", 72000, "2d 4h", "20h"},
		{"4.35h", 15660, "4h 21m", ""},
		{"1e9", 32400, "1d 1h", "9h"},
		{"1.9s", 1, "1s", ""},
	} {
		if c.hours == "" {
			c.hours = c.out
		}
		seconds, ok := duration.Parse(c.in)
		require.True(t, ok, c.in)
		require.Equal(t, c.seconds, seconds, c.in)
		require.Equal(t, c.out, duration.Format(seconds), c.in)
		require.Equal(t, c.hours, duration.FormatHours(seconds), c.in)
		for _, text := range []string{c.out, c.hours} {
			again, ok := duration.Parse(text)
			require.True(t, ok, text)
			require.Equal(t, c.seconds, again, text)
		}
	}
}

func TestNothing(t *testing.T) {
	t.Parallel()
	for text, zero := range map[string]bool{
		"0": true, "0h": true, "-0": true, "0.5s": true, "zero hours": true, "0:00": true,
		"foo": false, "": false, "-": false, "twenty-foo": false, ":": false, "1:1:1:1:1:1:1": false,
		strings.Repeat("9", 20): false, "9223372036854775808s": false,
		"-9223372036854775808s": false, "1h" + strings.Repeat(" ", 1000) + "m": false,
		strings.Repeat("9", 999): false,
	} {
		seconds, ok := duration.Parse(text)
		require.False(t, ok, text)
		require.Zero(t, seconds, text)
		require.Equal(t, zero, duration.IsZero(text), text)
	}
	require.Empty(t, duration.Format(0))
	require.Empty(t, duration.FormatHours(0))
}

func TestExtremes(t *testing.T) {
	t.Parallel()
	seconds, ok := duration.Parse("-9223372036854775807s")
	require.True(t, ok)
	require.Equal(t, int64(-math.MaxInt64), seconds)
	for _, n := range []int64{math.MaxInt64, -math.MaxInt64} {
		for _, format := range []func(int64) string{duration.Format, duration.FormatHours} {
			again, ok := duration.Parse(format(n))
			require.True(t, ok)
			require.Equal(t, n, again)
		}
	}
	require.True(t, strings.HasPrefix(duration.Format(math.MinInt64), "-"))
}

// What Format writes is read as the same duration, whatever was read before.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"1w 2d 3h", "-1:30", "two hours", "1,5h", "0", "٣h", "1y 1s", ".5 h", "1.h"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		seconds, ok := duration.Parse(text)
		if !ok {
			require.Zero(t, seconds)
			return
		}
		for _, format := range []func(int64) string{duration.Format, duration.FormatHours} {
			again, ok := duration.Parse(format(seconds))
			require.True(t, ok)
			require.Equal(t, seconds, again)
		}
	})
}
