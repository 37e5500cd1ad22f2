// Package api serves the routes of protected branches and tags, push rules, approvals and deploy
// keys.
package api

import (
	"slices"

	"hew/server/part"
	"hew/server/protect"
)

// Part returns what package protect adds to the server.
func Part(host part.Host) part.Part {
	return part.Part{
		Name: "protect",
		Routes: slices.Concat(
			pushRules{}.routes(), approvalRules{host.Site}.routes(), approvalSettings{}.routes(),
			protectedBranches{}.routes(), protectedTags{}.routes(), deployKeys{}.routes(),
		),
		Abilities: abilities,
		Refusals:  protect.Refusals,
		Listeners: protect.Listeners,
		Specimen:  specimen,
	}
}
