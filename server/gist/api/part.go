// Package api serves imports of gists.
package api

import (
	"hew/server/gist"
	"hew/server/part"
)

// Part returns what package gist adds to the server.
func Part(host part.Host) part.Part {
	return part.Part{
		Name:     "gist",
		Routes:   imports{host.Out}.routes(),
		Refusals: gist.Refusals,
		Jobs:     gist.Jobs(host.Out),
		Specimen: specimen,
	}
}
