// Package api serves the routes of imports from other code hosts.
package api

import (
	"hew/server/forge"
	"hew/server/part"
)

// Part returns what package forge adds to the server.
func Part(h part.Host) part.Part {
	return part.Part{
		Name:      "forge",
		Routes:    imports{h}.routes(),
		Abilities: abilities,
		Refusals:  forge.Refusals,
		Jobs:      forge.Jobs(h.Out),
		Specimen:  specimen,
	}
}
