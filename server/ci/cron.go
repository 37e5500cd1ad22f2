package ci

import (
	"time"

	"github.com/hashicorp/cronexpr"

	"hew/schema/catalogue"
	"hew/server/check"
)

// parseCron reads a cron expression and the name of its zone (CI facts §2.3). The text of the
// public service begins with a space.
func parseCron(cron, zone string) (*cronexpr.Expression, *time.Location, error) {
	var wrong check.Problems
	expression, err := catalogue.ParseCron(cron)
	if err != nil {
		wrong.On("cron", " is invalid syntax")
	}
	location, err := catalogue.LoadZone(zone)
	if err != nil {
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
