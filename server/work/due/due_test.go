package due_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/work/due"
)

func TestRange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ today, word, from, to string }{
		{"2026-11-30", "today", "2026-11-30", "2026-11-30"},
		{"2026-11-30", "tomorrow", "2026-12-01", "2026-12-01"},
		{"2026-11-30", "overdue", "", "2026-11-29"},
		{"2026-11-30", "week", "2026-11-30", "2026-12-06"}, // a Monday
		{"2026-12-06", "week", "2026-11-30", "2026-12-06"}, // a Sunday
		{"2026-12-02", "week", "2026-11-30", "2026-12-06"},
		{"2026-11-30", "month", "2026-11-01", "2026-11-30"},
		{"2028-02-10", "month", "2028-02-01", "2028-02-29"},
		{"2026-12-31", "next_month_and_previous_two_weeks", "2026-12-17", "2027-01-31"},
		{"2027-01-31", "next_month_and_previous_two_weeks", "2027-01-17", "2027-02-28"},
	} {
		from, to, ok := due.Range(c.word, day(t, c.today).Add(23*time.Hour))
		require.True(t, ok)
		require.Equal(t, []time.Time{day(t, c.from), day(t, c.to)}, []time.Time{from, to}, "%s on %s", c.word, c.today)
	}
	for _, word := range []string{"", "0", "any", "none", "Week", "yesterday"} {
		_, _, ok := due.Range(word, time.Now())
		require.False(t, ok, word)
	}
}

func TestDay(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{ // on Monday, 2026-11-30
		"2018-09-20": "2018-09-20", "2026/1/2": "2026-01-02", "today": "2026-11-30", "Tomorrow": "2026-12-01",
		"yesterday": "2026-11-29", "in 2 days": "2026-12-02", "2 days": "2026-12-02", "in a week": "2026-12-07",
		"in 3 months": "2027-02-28", "1 year": "2027-11-30", "2 weeks from now": "2026-12-14",
		"next friday": "2026-12-04", "friday": "2026-12-04", "this Fri": "2026-12-04", "on sunday": "2026-12-06",
		"monday": "2026-12-07", "next week": "2026-12-07", "next month": "2026-12-30", "next year": "2027-11-30",
		"September 20": "2027-09-20", "November 30": "2026-11-30", "Sep 20th, 2018": "2018-09-20",
		"20 Sep 2018": "2018-09-20", "1st dec": "2026-12-01", "feb 29": "2028-02-29", "in 0 days": "2026-11-30",
	} {
		got, ok := due.Day(text, day(t, "2026-11-30").Add(5*time.Hour))
		require.True(t, ok, text)
		require.Equal(t, day(t, want), got, text)
	}
	for _, text := range []string{
		"", " ", "soon", "next", "on", "this", "in", "from now", "in days", "2018-13-01", "2018-02-30", "february 30",
		"in -1 days", "in 99999999999999999999 days", "4000000 years", "4000000 days", "in 5000000 days", "10000-01-01",
		"20", "th", "friday friday", "today at noon", "0000-01-01", "a b c d e f", strings.Repeat("in ", 100_000),
	} {
		_, ok := due.Day(text, day(t, "2026-11-30"))
		require.False(t, ok, text)
	}
}

func FuzzDay(f *testing.F) {
	f.Add("in 2 days")
	f.Add("Sep 20th, 2018")
	f.Fuzz(func(t *testing.T, text string) {
		if got, ok := due.Day(text, time.Now()); ok {
			require.Equal(t, got.Truncate(24*time.Hour), got)
		}
	})
}

// day returns the day of a text, and the zero time of an empty one.
func day(t *testing.T, text string) time.Time {
	t.Helper()
	if text == "" {
		return time.Time{}
	}
	d, err := time.Parse(time.DateOnly, text)
	require.NoError(t, err)
	return d
}
