// Package api serves the releases of package release.
package api

import (
	"slices"

	"hew/server/part"
	"hew/server/release"
)

// Part returns what package release adds to the server.
func Part(host part.Host) part.Part {
	return part.Part{
		Name: "release",
		Routes: slices.Concat(
			releases{host.Site}.routes(), links{host.Site}.routes(), permalinks{host.Site}.routes(),
			groupReleases{host.Site}.routes(),
		),
		Abilities: abilities,
		Refusals:  release.Refusals,
		Listeners: release.Listeners,
		Specimen:  specimen,
	}
}
