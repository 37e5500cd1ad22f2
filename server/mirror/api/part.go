// Package api serves the routes of push mirrors.
package api

import (
	"hew/server/part"
	"hew/server/mirror"
)

// Part returns what package mirror adds to the server.
func Part(part.Host) part.Part {
	return part.Part{
		Name:      "mirror",
		Routes:    pushMirrors{}.routes(),
		Abilities: abilities,
		Refusals:  mirror.Refusals,
		Specimen:  specimen,
	}
}
