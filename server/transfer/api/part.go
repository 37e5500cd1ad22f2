// Package api serves the routes of archives of projects.
package api

import (
	"hew/server/part"
	"hew/server/transfer"
)

// Part returns what package transfer adds to the server.
func Part(host part.Host) part.Part {
	fetch := transfer.Fetcher{Out: host.Out, S3: host.ImportS3}
	return part.Part{
		Name:      "transfer",
		Routes:    imports{host.Site, fetch}.routes(),
		Abilities: abilities,
		Refusals:  transfer.Refusals,
		Jobs:      transfer.ImportJobs(fetch),
	}
}
