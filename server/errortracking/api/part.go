// Package api serves the routes of error tracking, and the addresses that SDKs send events to.
package api

import (
	"slices"

	"hew/server/errortracking"
	"hew/server/part"
)

// Part returns what package errortracking adds to the server.
func Part(host part.Host) part.Part {
	return part.Part{
		Name:      "errortracking",
		Routes:    slices.Concat(settings{host.Site}.routes(), trackedErrors{}.routes()),
		Abilities: abilities,
		Refusals:  errortracking.Refusals,
		Jobs:      errortracking.Jobs,
		Endpoints: []part.Endpoint{{Rewrite: collectorRoute, Routes: collector{}.routes()}},
		Specimen:  specimen,
	}
}
