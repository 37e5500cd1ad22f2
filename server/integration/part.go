package integration

import (
	"time"

	"hew/server/jobs"
)

// Jobs returns the jobs of integrations; s tells services of events.
func Jobs(s *Sender) []jobs.Kind {
	return []jobs.Kind{
		jobs.On(s.deliver).Lasting(10 * time.Minute),
		jobs.On(syncIncident),
		jobs.On(removeOldDeliveries).Each(time.Hour),
	}
}
