package api

import (
	"slices"

	"hew/server/part"
	"hew/server/transfer"
)

// Part returns what package transfer adds to the server.
func Part(host part.Host) part.Part {
	a := host.Site
	return part.Part{
		Name: "transfer",
		Routes: slices.Concat(
			pushMirrors{a}.routes(),
		),
		Abilities: abilities,
		Refusals:  transfer.Refusals,
	}
}
