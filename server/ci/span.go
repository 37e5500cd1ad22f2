package ci

import (
	"slices"
	"time"
)

// span is the time in which a job ran.
type span struct{ from, to time.Time }

// union returns how much time is in at least one of the spans.
func union(spans []span) (sum time.Duration) {
	slices.SortFunc(spans, func(a, b span) int { return a.from.Compare(b.from) })
	var until time.Time
	for _, s := range spans {
		if s.from.After(until) {
			until = s.from
		}
		if s.to.After(until) {
			sum += s.to.Sub(until)
			until = s.to
		}
	}
	return sum
}
