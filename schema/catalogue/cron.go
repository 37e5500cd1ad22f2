package catalogue

import (
	"errors"
	"strings"
	"time"
	_ "time/tzdata" // zones are known where the machine has no files of them

	"github.com/hashicorp/cronexpr"
)

// cronFields is how many fields a cron expression has: minute, hour, day, month, weekday. The
// library would take seconds and years as well.
const cronFields = 5

var (
	errCron = errors.New("is not a cron expression")
	errZone = errors.New("is not a time zone")
)

// ParseCron reads the cron expression of a pipeline schedule.
func ParseCron(s string) (*cronexpr.Expression, error) {
	if len(strings.Fields(s)) != cronFields || len(s) > 255 {
		return nil, errCron
	}
	expression, err := cronexpr.Parse(s)
	if err != nil {
		return nil, errCron
	}
	return expression, nil
}

// LoadZone returns the time zone of a name of the IANA database, such as Europe/Berlin.
func LoadZone(name string) (*time.Location, error) {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		return nil, errZone
	}
	return zone, nil
}
