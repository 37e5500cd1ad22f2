// Package duration reads and writes the durations of time tracking, such as "1w 2d 3h", and reads
// those of pipelines.
//
// In time tracking a month has 4 weeks, a week 5 days, and a day 8 hours. A year is a calendar year
// of 31,557,600 seconds, and therefore not 12 months.
package duration

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

const (
	minute = 60
	hour   = 60 * minute
	day    = 8 * hour
	week   = 5 * day
	month  = 4 * week
	year   = 31_557_600
)

// scale says what words and numbers count.
type scale struct {
	units map[string]int64
	plain int64 // seconds of a number at the end
}

// maxText bounds what is read, in bytes.
const maxText = 1000

// working is time tracking's scale, calendarScale that of pipelines. Both have the same words.
var (
	working       = scale{map[string]int64{}, hour}
	calendarScale = scale{map[string]int64{}, 1}
)

func init() {
	for _, row := range []struct {
		seconds, calendar int64
		words             string
	}{
		{1, 1, "s sec secs second seconds"},
		{minute, minute, "m min mins minute minutes"},
		{hour, hour, "h hr hrs hour hours"},
		{day, 24 * hour, "d dy day days"},
		{week, 7 * 24 * hour, "w wk wks week weeks"},
		{month, 30 * 24 * hour, "mo mos month months"},
		{year, year, "y yr yrs year years"},
	} {
		for word := range strings.FieldsSeq(row.words) {
			working.units[word], calendarScale.units[word] = row.seconds, row.calendar
		}
	}
}

// clock are the units of "a:b:c", from the right.
var clock = []string{"seconds", "minutes", "hours", "days", "months", "years"}

var (
	number = regexp.MustCompile(`[0-9]*\.?[0-9]+`)
	colons = regexp.MustCompile(`[0-9](:[0-9]*\.?[0-9]+)+`)
)

// Parse returns the whole seconds of a duration. A number belongs to the unit after it; before
// another number it does not count, and at the end it counts hours. A unit at the beginning counts
// one. Number words up to "ninety nine" are numbers, "a:b" is minutes and seconds, and a minus sign
// at the beginning negates everything. Case and unknown words are ignored. ok is false if the text
// says nothing, if it says zero (see IsZero), and if an int64 cannot hold the seconds.
func Parse(text string) (seconds int64, ok bool) {
	seconds, read := parse(text, working)
	return seconds, read && seconds != 0
}

// IsZero reports whether a text is a duration of zero, such as "0" or "0h".
func IsZero(text string) bool {
	seconds, read := parse(text, working)
	return read && seconds == 0
}

// parse returns the whole seconds of a text, and reports whether a number or a unit was read.
func parse(text string, by scale) (int64, bool) {
	if len(text) > maxText {
		return 0, false
	}
	text, negative := strings.CutPrefix(strings.TrimSpace(text), "-")
	words := meaningful(strings.ToLower(text))
	if len(words) == 0 {
		return 0, false
	}
	total := new(big.Rat)
	for i, word := range words {
		value, isNumber := new(big.Rat).SetString(word)
		if !isNumber {
			continue
		}
		unit := by.plain
		if i+1 < len(words) {
			unit = by.units[words[i+1]] // zero before another number: that number does not count
		}
		total.Add(total, value.Mul(value, new(big.Rat).SetInt64(unit)))
	}
	whole := new(big.Int).Quo(total.Num(), total.Denom())
	if !whole.IsInt64() {
		return 0, false
	}
	if negative {
		return -whole.Int64(), true
	}
	return whole.Int64(), true
}

// meaningful returns the numbers and units of a text in lower case, in order, beginning with a
// number.
func meaningful(text string) (words []string) {
	if compact := strings.ReplaceAll(text, " ", ""); colons.MatchString(compact) {
		parts := strings.Split(strings.TrimRight(compact, ":"), ":")
		if len(parts) > len(clock) {
			return nil
		}
		for i := range parts {
			parts[i] += " " + clock[len(parts)-1-i]
		}
		text = strings.Join(parts, " ")
	}
	fields := strings.Fields(number.ReplaceAllString(text, " $0 "))
	for i := 0; i < len(fields); i++ {
		word := strings.Trim(fields[i], ",")
		if n, count := spelled(fields[i:]); count > 0 {
			word = strconv.Itoa(n)
			i += count - 1
		}
		if _, isUnit := working.units[word]; isUnit || number.MatchString(word) {
			words = append(words, word)
		}
	}
	if len(words) > 0 && working.units[words[0]] > 0 {
		words = append([]string{"1"}, words...)
	}
	return words
}
