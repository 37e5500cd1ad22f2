package api

import (
	"slices"

	"hew/server/instance"
	"hew/server/part"
)

// Part returns what package instance adds to the server.
func Part(host part.Host) part.Part {
	a := host.Site
	return part.Part{
		Name: "instance",
		Routes: slices.Concat(
			meta{a}.routes(),
			settings{a}.routes(),
			appearance{a}.routes(),
			planLimits{a}.routes(),
			terraformStates{a}.routes(),
		),
		Abilities: abilities,
		Refusals:  instance.Refusals,
	}
}
