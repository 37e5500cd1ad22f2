package api

import (
	"slices"

	"hew/server/part"
	"hew/server/project"
)

// Part returns what package project adds to the server.
func Part(host part.Host) part.Part {
	return part.Part{
		Name: "project",
		Routes: slices.Concat(
			projects{host.Site}.routes(),
			projectActs{host.Site}.routes(),
			forks{host.Site}.routes(),
			imports{host.Site}.routes(),
			avatars{host.Log}.routes(),
			topics{host.Site}.routes(),
		),
		Abilities: abilities,
		Refusals:  project.Refusals,
		Endpoints: []part.Endpoint{{Rewrite: avatarRoute}},
		Jobs:      project.Jobs,
		Specimen:  specimen,
	}
}
