// Package api serves the routes of push mirrors.
package api

import (
	"hew/server/part"
	"hew/server/transfer"
)

// Part returns what package transfer adds to the server.
func Part(part.Host) part.Part {
	return part.Part{
		Name:      "transfer",
		Routes:    pushMirrors{}.routes(),
		Abilities: abilities,
		Refusals:  transfer.Refusals,
		Specimen:  specimen,
	}
}
