// Package api serves the routes of archives of projects.
package api

import (
	"hew/server/part"
	"hew/server/transfer"
	"hew/server/transfer/archive"
)

// Part returns what package transfer adds to the server.
func Part(host part.Host) part.Part {
	exporter := transfer.Exporter{
		Out: host.Out, Product: archive.Info{Version: host.Version, Revision: host.Revision},
	}
	return part.Part{
		Name:      "transfer",
		Routes:    exports{host.Site, host.Log}.routes(),
		Abilities: abilities,
		Refusals:  transfer.Refusals,
		Jobs:      exporter.Jobs(),
		Specimen:  specimen,
	}
}
