// Package api serves the routes of settings, appearance, plan limits, statistics and Terraform
// states.
package api

import (
	"slices"

	"hew/server/instance"
	"hew/server/part"
)

// Part returns what package instance adds to the server.
func Part(host part.Host) part.Part {
	return part.Part{
		Name: "instance",
		Routes: slices.Concat(
			meta{host.Site}.routes(), settings{host.Site}.routes(), appearance{}.routes(), planLimits{}.routes(),
			terraformStates{}.routes(),
		),
		Abilities: abilities,
		Refusals:  instance.Refusals,
		Jobs:      instance.Jobs,
		Specimen:  specimen,
	}
}
