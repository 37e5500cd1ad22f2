// Package api serves the routes of push mirrors and pull mirrors.
package api

import (
	"slices"

	"hew/server/mirror"
	"hew/server/part"
)

// Part returns what package mirror adds to the server.
func Part(host part.Host) part.Part {
	return part.Part{
		Name:      "mirror",
		Routes:    slices.Concat(pushMirrors{}.routes(), pullMirrors{}.routes()),
		Abilities: abilities,
		Refusals:  mirror.Refusals,
		Listeners: mirror.Listeners,
		Jobs:      mirror.Jobs(host.Out),
		Specimen:  specimen,
	}
}
