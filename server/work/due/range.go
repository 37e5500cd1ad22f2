// Package due reads the words for due dates: those that filter lists, and those that set a date.
// Days are times at midnight in UTC.
package due

import "time"

// Range returns the first and the last day that a value of the parameter due_date selects; a zero
// time leaves that side open. ok is false for other words, among them "0", "any" and "", which do
// not select days.
func Range(word string, today time.Time) (from, to time.Time, ok bool) {
	today = midnight(today)
	switch word {
	case "today":
		return today, today, true
	case "tomorrow":
		tomorrow := today.AddDate(0, 0, 1)
		return tomorrow, tomorrow, true
	case "overdue":
		return time.Time{}, today.AddDate(0, 0, -1), true
	case "week":
		monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
		return monday, monday.AddDate(0, 0, 6), true
	case "month":
		return firstOfMonth(today, 0), firstOfMonth(today, 1).AddDate(0, 0, -1), true
	case "next_month_and_previous_two_weeks":
		return today.AddDate(0, 0, -14), firstOfMonth(today, 2).AddDate(0, 0, -1), true
	}
	return time.Time{}, time.Time{}, false
}

// midnight returns the day of a time in UTC.
func midnight(t time.Time) time.Time {
	year, month, day := t.UTC().Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// firstOfMonth returns the first day of the month that is so many months after that of a day.
func firstOfMonth(day time.Time, months int) time.Time {
	return time.Date(day.Year(), day.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
}
