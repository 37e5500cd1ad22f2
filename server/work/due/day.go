package due

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// layouts are the dates with and without a year; commas are blanks by then.
var (
	layouts = []string{
		"2006-1-2", "2006/1/2", "January 2 2006", "Jan 2 2006", "2 January 2006", "2 Jan 2006",
	}
	yearless = []string{"January 2", "Jan 2", "2 January", "2 Jan"}
)

// Day returns the day that a text names; ok is false if it names none in the years 1 to 9999. Case
// is ignored. The grammar:
//
//	today | tomorrow | yesterday
//	2018-09-20 | 2018/09/20 | September 20[, 2018] | 20 Sep [2018]
//	[on | next | this] friday | fri      the first one after today
//	next week | month | year             the same day of it
//	[in] 3 | a days | weeks | months | years [from now]
//
// A date without a year is the first one from today on. "20th" is "20". A day that a month lacks
// becomes its last one: a month after January 31 is the last day of February.
func Day(text string, today time.Time) (day time.Time, ok bool) {
	today = midnight(today)
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(text, ",", " ")))
	if len(words) == 0 || len(words) > 5 {
		return time.Time{}, false
	}
	for _, read := range []func([]string, time.Time) (time.Time, bool){near, weekday, offset, date} {
		if day, ok := read(words, today); ok {
			return day, 1 <= day.Year() && day.Year() <= 9999
		}
	}
	return time.Time{}, false
}

func near(words []string, today time.Time) (time.Time, bool) {
	days := slices.Index([]string{"yesterday", "today", "tomorrow"}, words[0])
	return today.AddDate(0, 0, days-1), days >= 0 && len(words) == 1
}

func weekday(words []string, today time.Time) (time.Time, bool) {
	if slices.Contains([]string{"on", "next", "this"}, words[0]) {
		words = words[1:]
	}
	if len(words) != 1 {
		return time.Time{}, false
	}
	for ahead := 1; ahead <= 7; ahead++ {
		day := today.AddDate(0, 0, ahead)
		name := strings.ToLower(day.Weekday().String())
		if words[0] == name || words[0] == name[:3] {
			return day, true
		}
	}
	return time.Time{}, false
}

// maxOffset is more than any unit needs to pass the year 9999.
const maxOffset = 4_000_000

func offset(words []string, today time.Time) (time.Time, bool) {
	words = slices.Clone(words)
	if n := len(words); n > 2 && words[n-2] == "from" && words[n-1] == "now" {
		words = words[:n-2]
	}
	if words[0] == "in" {
		words = words[1:]
	}
	if len(words) != 2 {
		return time.Time{}, false
	}
	n, err := strconv.Atoi(words[0])
	if slices.Contains([]string{"a", "an", "one", "next"}, words[0]) {
		n, err = 1, nil
	}
	if err != nil || n < 0 || n > maxOffset {
		return time.Time{}, false
	}
	switch strings.TrimSuffix(words[1], "s") {
	case "day":
		return today.AddDate(0, 0, n), true
	case "week":
		return today.AddDate(0, 0, 7*n), true
	case "month":
		return addMonths(today, n), true
	case "year":
		return addMonths(today, 12*n), true
	}
	return time.Time{}, false
}

func addMonths(day time.Time, months int) time.Time {
	last := firstOfMonth(day, months+1).AddDate(0, 0, -1)
	return last.AddDate(0, 0, min(day.Day(), last.Day())-last.Day())
}

func date(words []string, today time.Time) (time.Time, bool) {
	words = slices.Clone(words)
	for i, word := range words {
		words[i] = withoutOrdinal(word)
	}
	text := strings.Join(words, " ")
	for _, layout := range layouts {
		if day, err := time.Parse(layout, text); err == nil {
			return day, true
		}
	}
	for year := today.Year(); year < today.Year()+9; year++ { // February 29 may be eight years ahead
		for _, layout := range yearless {
			day, err := time.Parse(layout+" 2006", text+" "+strconv.Itoa(year))
			if err == nil && !day.Before(today) {
				return day, true
			}
		}
	}
	return time.Time{}, false
}

// withoutOrdinal returns "20" for "20th", and other words as they are.
func withoutOrdinal(word string) string {
	for _, ending := range []string{"st", "nd", "rd", "th"} {
		if digits, found := strings.CutSuffix(word, ending); found {
			if _, err := strconv.Atoi(digits); err == nil {
				return digits
			}
		}
	}
	return word
}
