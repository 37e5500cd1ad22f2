// Package api serves the routes of runners and CI/CD variables.
package api

import (
	"slices"

	"hew/server/ci"
	"hew/server/event"
	"hew/server/part"
)

// Part returns what package ci adds to the server.
func Part(host part.Host) part.Part {
	return part.Part{
		Name: "ci",
		Routes: slices.Concat(
			runners{host.Site}.routes(), assignedRunners{}.routes(), runnerSelf{}.routes(), variables{}.routes(),
			schedules{host.Site}.routes(), triggers{host.Site}.routes(), environments{host.Site}.routes(),
			deployments{host.Site}.routes(), resourceGroups{}.routes(), tokenScopes{host.Site}.routes(),
		),
		Abilities: abilities,
		Refusals:  ci.Refusals,
		Jobs:      ci.Tasks,
		Listeners: []event.Listener{event.On(ci.OnChanged)},
		Specimen:  specimen,
	}
}
