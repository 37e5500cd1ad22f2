package project

import (
	"time"

	"hew/server/jobs"
)

// Jobs are the jobs of projects.
var Jobs = []jobs.Kind{
	jobs.On(removeMarked),
	jobs.On(sweep).Each(time.Hour),
}
