// Package api serves the packages of package packages: the lists, generic packages, and the NuGet
// feed.
//
// Clients of version 3 of the feed push, search, install, restore and delete. Those of version 2
// push, delete, and install a version that they name, without what it depends on: an entry of
// version 2 is given to anybody, so it says nothing of the package, and does not look whether there
// is one (gaps §11). nuget.exe 2.8 installs from public projects only, since it sends a password
// where the feed's own address asks for one, and that is open. A deletion below the address of
// version 2 is ours: that client sends it.
package api

import (
	"slices"

	"hew/server/packages"
	"hew/server/part"
	"hew/server/rest"
)

// Part returns what package packages adds to the server.
func Part(host part.Host) part.Part {
	clients := generic{host.Site, host.Log}.routes()
	for _, segment := range feedSegments {
		clients = append(clients, feed{Site: host.Site, log: host.Log, segment: segment}.routes()...)
	}
	return part.Part{
		Name: "packages",
		Routes: slices.Concat(
			withRealm(registry{host.Site}.routes()), rules{}.routes(), groupSettings{}.routes(), withRealm(clients)),
		Abilities: abilities,
		Refusals:  packages.Refusals,
		Specimen:  specimen,
	}
}

// withRealm returns the routes as those of package clients, which begin without a token.
func withRealm(routes []rest.Route) []rest.Route {
	for i, r := range routes {
		routes[i] = r.Realm(realm)
	}
	return routes
}
