package ci

import (
	"time"

	"hew/server/jobs"
)

// How often the clock is looked at, for schedules and for environments that are to be stopped.
const tickInterval = 15 * time.Second

// clockTasks are the tasks of what happens at a time.
func (s Site) clockTasks() []jobs.Kind {
	return []jobs.Kind{
		jobs.On(tick).Each(tickInterval), jobs.On(stopExpired).Each(time.Minute),
		jobs.On(s.run).Lasting(2 * time.Minute),
	}
}
