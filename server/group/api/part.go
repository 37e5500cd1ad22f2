package api

import (
	"slices"

	"hew/server/group"
	"hew/server/part"
)

// Part returns what package group adds to the server.
func Part(host part.Host) part.Part {
	directory := &group.Directory{Server: group.LDAP(host.LDAP), Log: host.Log}
	return part.Part{
		Name: "group",
		Routes: slices.Concat(
			groups{host.Site}.routes(),
			namespaces{host.Site}.routes(),
			members{host.Site}.routes(),
			ldapLinks{directory}.routes(),
			samlLinks{}.routes(),
			shares{host.Site}.routes(),
			billable{host.Site}.routes(),
			invitations{}.routes(),
			accessRequests{host.Site}.routes(),
			pendingMembers{host.Site}.routes(),
			accessTokens{}.routes(),
		),
		Abilities: abilities,
		Refusals:  group.Refusals,
		Listeners: group.Listeners,
		Jobs:      group.Jobs(directory),
		Specimen:  specimen,
	}
}
