// Package api serves the routes of pipelines, their jobs, runners and CI/CD variables.
package api

import (
	"slices"

	"hew/server/ci"
	"hew/server/part"
)

// Part returns what package ci adds to the server.
func Part(host part.Host) part.Part {
	site := siteOf(host)
	return part.Part{
		Name: "ci",
		Routes: slices.Concat(
			jobRequests{runnerSelf{}.self(), site}.routes(), jobReports{}.routes(),
			jobArtifacts{host.Log}.routes(), jobs{host.Site}.ownRoutes(),
			runners{host.Site}.routes(), assignedRunners{}.routes(), runnerSelf{}.routes(), variables{}.routes(),
			pipelines{host.Site}.routes(), jobs{host.Site}.routes(), artifacts{host.Site, host.Log}.routes(),
			statuses{host.Site}.routes(),
			creation{host.Site, site}.routes(), lint{site}.routes(),
			schedules{host.Site}.routes(), triggers{host.Site}.routes(),
			triggers{host.Site}.startRoutes(site), environments{host.Site}.routes(),
			deployments{host.Site}.routes(), resourceGroups{}.routes(), tokenScopes{host.Site}.routes(),
		),
		Endpoints: []part.Endpoint{{Rewrite: tokenKeyRoute, Routes: tokenKeys{site}.routes()}},
		Abilities: slices.Concat(abilities, pipelineAbilities),
		Refusals:  ci.Refusals,
		Listeners: slices.Concat(ci.Listeners, ci.ReportListeners, ci.DeploymentListeners),
		Jobs:      ci.Tasks(site),
		Specimen:  specimen,
	}
}

// siteOf returns what pipelines have of the server.
func siteOf(host part.Host) ci.Site {
	return ci.Site{Base: host.Base, Version: host.Version, Revision: host.Revision, Out: host.Out}
}
