// Package api has the routes of uploads of groups and projects.
package api

import (
	"hew/server/part"
	"hew/server/upload"
)

// Part returns what package upload adds to the server.
func Part(host part.Host) part.Part {
	return part.Part{
		Name:      "upload",
		Routes:    uploads{host.Log}.routes(),
		Endpoints: []part.Endpoint{{Rewrite: routeOf}},
		Abilities: abilities,
		Refusals:  upload.Refusals,
		Specimen:  specimen,
	}
}
