// Package api serves the merge requests of package merge.
package api

import (
	"slices"

	"hew/server/merge"
	"hew/server/part"
)

// Part returns what package merge adds to the server.
func Part(host part.Host) part.Part {
	return part.Part{
		Name: "merge",
		Routes: slices.Concat(
			requests{host.Site}.routes(),
			lists{host.Site}.routes(),
			lists{host.Site}.relatedRoutes(),
			requests{host.Site}.actRoutes(),
			requests{host.Site}.noteRoutes(),
			eventRoutes(host.Site),
			landing{host.Site}.routes(),
			requestDiffs{host.Site, host.Log}.routes(),
			approvals{host.Site}.routes(),
			approvalRules{host.Site}.routes(),
			draftNotes{requests{host.Site}}.routes(),
			suggestions{}.routes(),
			blocks{host.Site}.routes(),
		),
		Abilities: abilities,
		Refusals:  merge.Refusals,
		Listeners: merge.Listeners(host.Base),
		Jobs:      merge.Jobs(host.Base),
		Specimen:  specimen,
	}
}
