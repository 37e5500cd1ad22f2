// Package api serves the routes of integrations and alerts, and the addresses for alerts.
package api

import (
	"slices"

	"hew/server/integration"
	"hew/server/part"
)

// Part returns what package integration adds to the server.
func Part(host part.Host) part.Part {
	sender := &integration.Sender{Out: host.Out, Base: host.Base, Version: host.Version, Log: host.Log}
	return part.Part{
		Name: "integration",
		Routes: slices.Concat(
			integrations{sender}.routes(), alertIntegrations{host.Site}.routes(), alerts{}.routes(),
			metricImages{}.routes(), incidentSettings{}.routes(),
		),
		Abilities: abilities,
		Refusals:  integration.Refusals,
		Listeners: integration.Listeners(),
		Jobs:      integration.Jobs(sender),
		Endpoints: []part.Endpoint{{Rewrite: alertRoute, Routes: alertEndpoints{}.routes()}},
		Specimen:  specimen,
	}
}
