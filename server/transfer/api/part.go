// Package api serves the routes of push mirrors, and of imports of archives.
package api

import (
	"slices"

	"hew/server/part"
	"hew/server/transfer"
)

// Part returns what package transfer adds to the server.
func Part(host part.Host) part.Part {
	fetch := transfer.Fetcher{Out: host.Out, S3: host.ImportS3}
	return part.Part{
		Name:      "transfer",
		Routes:    slices.Concat(pushMirrors{}.routes(), imports{host.Site, fetch}.routes()),
		Jobs:      transfer.ImportJobs(fetch),
		Abilities: abilities,
		Refusals:  transfer.Refusals,
		Specimen:  specimen,
	}
}
