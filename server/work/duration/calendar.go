package duration

import "strings"

// joins are the words that may stand between the parts of a duration.
var joins = map[string]bool{"and": true, "with": true, "plus": true}

// ParseCalendar returns the whole seconds of a duration in days of 24 hours, weeks of 7 days,
// months of 30 days and calendar years, as timeouts and expiry of pipelines are written: "3 weeks
// and 2 days". At the end a number counts seconds. ok is false for zero, signs and words that Parse
// ignores.
func ParseCalendar(text string) (seconds int64, ok bool) {
	if len(text) > maxText || !understood(strings.ToLower(text)) {
		return 0, false
	}
	seconds, ok = parse(text, calendarScale)
	return seconds, ok && seconds != 0
}

// understood reports whether every word of a text in lower case has a meaning.
func understood(text string) bool {
	if strings.Contains(text, ":") {
		return strings.Trim(text, "0123456789:. ") == ""
	}
	fields := strings.Fields(number.ReplaceAllString(text, " $0 "))
	for i := 0; i < len(fields); i++ {
		word := strings.Trim(fields[i], ",")
		if _, count := spelled(fields[i:]); count > 0 {
			i += count - 1
			continue
		}
		_, isUnit := calendarScale.units[word]
		if !isUnit && !joins[word] && word != "" && number.FindString(word) != word {
			return false
		}
	}
	return true
}
