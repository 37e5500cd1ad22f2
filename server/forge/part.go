package forge

import (
	"time"

	"hew/server/jobs"
	"hew/server/outbound"
)

// Jobs are the jobs of imports from other hosts.
func Jobs(out *outbound.Guard) []jobs.Kind {
	return []jobs.Kind{
		jobs.On(Importer{Out: out}.work).Lasting(importTime), jobs.On(wake),
		jobs.On(resume).Each(time.Minute).AtStart(),
	}
}
