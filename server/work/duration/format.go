package duration

import (
	"strconv"
	"strings"
)

// Format returns seconds as whole units, such as "1w 2d 3h" or "-1h 30m", and "" for zero.
func Format(seconds int64) string { return signed(seconds, format) }

// FormatHours returns seconds as hours, minutes and seconds, such as "59h" or "268h 5m", and "" for
// zero. It is the display of time_tracking_limit_to_hours.
func FormatHours(seconds int64) string {
	return signed(seconds, func(n uint64) string { return inUnits(n, hours) })
}

type unit struct {
	name    string
	seconds uint64
}

var (
	hours        = []unit{{"h", hour}, {"m", minute}, {"s", 1}}
	workingUnits = append([]unit{{"mo", month}, {"w", week}, {"d", day}}, hours...)
	// calendar has no weeks, as the host shows them only where it shows no years.
	calendar = append([]unit{{"y", year}, {"mo", month}, {"d", day}}, hours...)
)

// format uses years only where they leave less than months would: 36,000,000 seconds are "62mo 2w".
func format(seconds uint64) string {
	if seconds >= year && seconds%year < seconds%month {
		return inUnits(seconds, calendar)
	}
	return inUnits(seconds, workingUnits)
}

func inUnits(seconds uint64, units []unit) string {
	var parts []string
	for _, u := range units {
		if n := seconds / u.seconds; n > 0 {
			parts = append(parts, strconv.FormatUint(n, 10)+u.name)
		}
		seconds %= u.seconds
	}
	return strings.Join(parts, " ")
}

func signed(seconds int64, format func(uint64) string) string {
	if seconds < 0 {
		return "-" + format(-uint64(seconds))
	}
	return format(uint64(seconds))
}
