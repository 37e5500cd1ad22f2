// Package api serves the routes of runners and CI/CD variables.
package api

import (
	"slices"

	"hew/server/ci"
	"hew/server/part"
)

// Part returns what package ci adds to the server.
func Part(host part.Host) part.Part {
	site := ci.Site{Base: host.Base, Version: host.Version, Revision: host.Revision, Out: host.Out}
	return part.Part{
		Name: "ci",
		Routes: slices.Concat(
			runners{host.Site}.routes(), assignedRunners{}.routes(), runnerSelf{}.routes(), variables{}.routes(),
			creation{host.Site, site}.routes(), lint{site}.routes(),
		),
		Abilities: abilities,
		Refusals:  ci.Refusals,
		Listeners: ci.Listeners,
		Jobs:      slices.Concat(ci.Tasks, site.Tasks()),
		Specimen:  specimen,
	}
}
