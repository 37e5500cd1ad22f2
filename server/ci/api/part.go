// Package api serves the routes of runners and CI/CD variables.
package api

import (
	"slices"

	"hew/server/ci"
	"hew/server/part"
)

// Part returns what package ci adds to the server.
func Part(host part.Host) part.Part {
	return part.Part{
		Name: "ci",
		Routes: slices.Concat(
			runners{host.Site}.routes(), assignedRunners{}.routes(), runnerSelf{}.routes(), variables{}.routes(),
		),
		Abilities: abilities,
		Refusals:  ci.Refusals,
		Jobs:      ci.Tasks,
		Specimen:  specimen,
	}
}
