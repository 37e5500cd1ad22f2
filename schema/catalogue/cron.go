package catalogue

import (
	_ "embed"
	"errors"
	"strings"
	"sync"
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

// zones.tsv has the names of time zones that the public service takes beside those of the IANA
// database, each with the name there.
//
//go:embed zones.tsv
var zonesTable string

var zones = sync.OnceValue(func() map[string]string {
	byName := map[string]string{}
	for row := range rows(zonesTable) {
		byName[row.at("name")] = row.at("zone")
	}
	return byName
})

// LoadZone returns the time zone of a name of the IANA database, such as Europe/Berlin, or of one
// that the public service has of its own, such as "Pacific Time (US & Canada)".
func LoadZone(name string) (*time.Location, error) {
	if other := zones()[name]; other != "" {
		name = other
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		return nil, errZone
	}
	return zone, nil
}
