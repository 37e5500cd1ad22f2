package api

import (
	"slices"

	"hew/server/part"
	"hew/server/people"
)

// Part returns what package people adds to the server.
func Part(host part.Host) part.Part {
	a := host.Site
	return part.Part{
		Name: "people",
		Routes: slices.Concat(
			users{a}.routes(),
			userStates{a}.routes(),
			tokens{a}.routes(),
			customAttributes{a}.routes(),
		),
		Refusals: people.Refusals,
	}
}
