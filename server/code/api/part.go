// Package api serves the repositories of package code: the routes of commits, branches, tags and
// files, and git clients.
package api

import (
	"slices"

	"hew/server/code"
	"hew/server/part"
	"hew/server/rest"
)

// Part returns what package code adds to the server.
func Part(host part.Host) part.Part {
	return part.Part{
		Name: "code",
		Routes: slices.Concat(
			commits{host.Site}.routes(), branches{host.Site}.routes(), tags{host.Site}.routes(), files{host.Log}.routes(),
			trees{}.routes(), diffs{host.Site}.routes(), blames{host.Site}.routes(), archives{host.Log}.routes(),
			comments{host.Site}.routes(), signatures{}.routes(), repositories{}.routes(),
			submodules{host.Site}.routes(), changelogs{}.routes(), forks{host.Site}.routes(),
		),
		Endpoints: []part.Endpoint{{
			Rewrite: gitRoute, Routes: endpointRoutes(host), Realm: "GitLab", Refusal: lfsRefusal,
		}},
		Abilities: abilities,
		Refusals:  code.Refusals,
		Jobs:      code.Jobs(host.Out),
		Listeners: code.Listeners,
		Specimen:  specimen,
	}
}

// endpointRoutes are those of git clients.
func endpointRoutes(host part.Host) []rest.Route {
	large := lfs{host.Site, host.Log}
	return slices.Concat(smartHTTP{host.Log}.routes(), large.routes(), large.lockRoutes())
}
