// Package api serves the snippets of users and projects.
package api

import (
	"slices"

	"hew/server/part"
	"hew/server/snippet"
)

// Part returns what package snippet adds to the server.
func Part(host part.Host) part.Part {
	return part.Part{
		Name: "snippet",
		Routes: slices.Concat(
			snippets{host.Site}.routes(), lists{snippets{host.Site}}.routes(), noteRoutes(host.Site),
		),
		Endpoints: []part.Endpoint{gitEndpoint(host), {Rewrite: rawRoute}},
		Abilities: abilities,
		Refusals:  snippet.Refusals,
		Listeners: snippet.Listeners,
		Specimen:  specimen,
	}
}
