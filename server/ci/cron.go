package ci

import (
	"strings"
	"time"
	_ "time/tzdata" // zones are known where the machine has no files of them

	"github.com/hashicorp/cronexpr"

	"hew/server/check"
)

// cronFields is how many fields a cron expression has: minute, hour, day, month, weekday. The
// library would take seconds and years as well.
const cronFields = 5

// parseCron reads a cron expression and the name of its zone (CI facts §2.3). The text of the
// public service begins with a space.
func parseCron(cron, zone string) (*cronexpr.Expression, *time.Location, error) {
	var wrong check.Problems
	var expression *cronexpr.Expression
	var err error
	if len(strings.Fields(cron)) == cronFields && len(cron) <= 255 {
		expression, err = cronexpr.Parse(cron)
	}
	if expression == nil || err != nil {
		wrong.On("cron", " is invalid syntax")
	}
	location, err := time.LoadLocation(zone)
	if err != nil || zone == "Local" {
		wrong.On("cron_timezone", " is invalid syntax")
	}
	return expression, location, wrong.Err()
}

// nextRun returns when a valid cron expression next matches after a time; nil if it never does.
func nextRun(cron, zone string, after time.Time) (*time.Time, error) {
	expression, location, err := parseCron(cron, zone)
	if err != nil {
		return nil, err
	}
	next := expression.Next(after.In(location))
	if next.IsZero() {
		return nil, nil
	}
	return new(next.UTC()), nil
}
