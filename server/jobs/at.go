package jobs

import (
	"time"

	"github.com/riverqueue/river"
)

// At is embedded in the arguments of jobs that are not done before a time.
type At struct {
	Time time.Time `json:"-"`
}

// InsertOpts returns the options of the job for River.
func (a At) InsertOpts() river.InsertOpts { return river.InsertOpts{ScheduledAt: a.Time} }
