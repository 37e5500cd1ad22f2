// Package api serves the pages of wikis.
package api

import (
	"slices"

	"hew/server/part"
	"hew/server/wiki"
)

// Part returns what package wiki adds to the server.
func Part(part.Host) part.Part {
	return part.Part{
		Name:     "wiki",
		Routes:   slices.Concat(pages{}.routes(), attachments{}.routes()),
		Refusals: wiki.Refusals,
		Specimen: specimen,
	}
}
