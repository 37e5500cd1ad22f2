package api

import (
	"slices"

	"hew/server/integration"
	"hew/server/part"
)

// Part returns what package integration adds to the server.
func Part(host part.Host) part.Part {
	a := host.Site
	return part.Part{
		Name: "integration",
		Routes: slices.Concat(
			integrations{a}.routes(),
			alertIntegrations{a}.routes(),
			alerts{a}.routes(),
			errorTracking{a}.routes(),
		),
		Abilities: abilities,
		Refusals:  integration.Refusals,
		Endpoints: []part.Endpoint{{Rewrite: alertRoute, Routes: alertEndpoints{a}.routes()}},
	}
}
