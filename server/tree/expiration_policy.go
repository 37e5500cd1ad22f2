package tree

import "time"

// ExpirationPolicy says which container images are cleaned up.
type ExpirationPolicy struct {
	Cadence       string  `json:"cadence"`
	Enabled       bool    `json:"enabled"`
	KeepN         *int    `json:"keep_n"`
	OlderThan     *string `json:"older_than"`
	NameRegex     *string `json:"name_regex"`
	NameRegexKeep *string `json:"name_regex_keep"`
}

// cadences are how long a cleanup is due after the one before.
var cadences = map[string]struct{ months, days int }{
	"1d": {days: 1}, "7d": {days: 7}, "14d": {days: 14}, "1month": {months: 1}, "3month": {months: 3},
}

// NextRun returns when the first cleanup after now is due in a project that was created at a time.
// It is set for disabled policies as well.
func (p ExpirationPolicy) NextRun(created, now time.Time) time.Time {
	c, known := cadences[p.Cadence]
	if !known {
		c.days = 1
	}
	longest := time.Duration(31*c.months+c.days) * 24 * time.Hour
	for n := 1 + int(now.Sub(created)/longest); ; n++ {
		if next := created.AddDate(0, n*c.months, n*c.days); next.After(now) {
			return next
		}
	}
}
