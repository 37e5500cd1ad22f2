package api

import (
	"slices"

	"hew/server/part"
	"hew/server/protect"
)

// Part returns what package protect adds to the server.
func Part(host part.Host) part.Part {
	a := host.Site
	return part.Part{
		Name: "protect",
		Routes: slices.Concat(
			pushRules{a}.routes(),
			approvalRules{a}.routes(),
			approvalSettings{a}.routes(),
			protectedBranches{Site: a}.routes(),
			protectedTags{Site: a}.routes(),
			deployKeys{a}.routes(),
		),
		Abilities: abilities,
		Refusals:  protect.Refusals,
		Listeners: protect.Listeners,
	}
}
