package api

import (
	"slices"

	"hew/server/part"
	"hew/server/project"
)

// Part returns what package project adds to the server.
func Part(host part.Host) part.Part {
	a := host.Site
	return part.Part{
		Name: "project",
		Routes: slices.Concat(
			projects{a}.routes(),
			projectActs{a}.routes(),
			projectGit{a}.routes(),
			avatars{a}.routes(),
			topics{a}.routes(),
		),
		Abilities: abilities,
		Refusals:  project.Refusals,
		Endpoints: []part.Endpoint{{Rewrite: uploadRoute}},
		Jobs:      project.Jobs,
	}
}
