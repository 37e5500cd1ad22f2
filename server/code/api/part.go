// Package api serves the repositories of package code: the routes of commits, branches, tags and
// files, and git clients.
package api

import (
	"slices"

	"hew/server/code"
	"hew/server/part"
)

// Part returns what package code adds to the server.
func Part(host part.Host) part.Part {
	return part.Part{
		Name: "code",
		Routes: slices.Concat(
			commits{host.Site}.routes(), branches{host.Site}.routes(), tags{host.Site}.routes(), files{}.routes(),
			trees{}.routes(), diffs{host.Site}.routes(), blames{host.Site}.routes(), archives{host.Log}.routes(),
		),
		Endpoints: []part.Endpoint{{Rewrite: gitRoute, Routes: smartHTTP{host.Log}.routes(), Realm: "GitLab"}},
		Refusals:  code.Refusals,
		Listeners: code.Listeners,
		Specimen:  specimen,
	}
}
