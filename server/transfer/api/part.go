// Package api serves the routes of archives of projects: exports and imports.
package api

import (
	"slices"

	"hew/server/part"
	"hew/server/transfer"
	"hew/server/transfer/archive"
)

// Part returns what package transfer adds to the server.
func Part(host part.Host) part.Part {
	exporter := transfer.Exporter{
		Out: host.Out, Product: archive.Info{Version: host.Version, Revision: host.Revision},
	}
	fetch := transfer.Fetcher{Out: host.Out, S3: host.ImportS3}
	return part.Part{
		Name:      "transfer",
		Routes:    slices.Concat(exports{host.Site, host.Log}.routes(), imports{host.Site, fetch}.routes()),
		Abilities: abilities,
		Refusals:  transfer.Refusals,
		Jobs:      slices.Concat(exporter.Jobs(), transfer.ImportJobs(fetch)),
		Specimen:  specimen,
	}
}
