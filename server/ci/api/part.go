package api

import (
	"slices"

	"hew/server/ci"
	"hew/server/part"
)

// Part returns what package ci adds to the server.
func Part(host part.Host) part.Part {
	a := host.Site
	return part.Part{
		Name: "ci",
		Routes: slices.Concat(
			runners{a}.routes(),
			runnerPlaces{a}.routes(),
			runnerSelf{a}.routes(),
			variables{a}.routes(),
		),
		Abilities: abilities,
		Refusals:  ci.Refusals,
	}
}
