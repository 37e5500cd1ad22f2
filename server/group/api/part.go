package api

import (
	"slices"

	"hew/server/group"
	"hew/server/part"
)

// Part returns what package group adds to the server.
func Part(host part.Host) part.Part {
	a := host.Site
	links := &group.Directory{Server: group.LDAP(host.LDAP), Log: host.Log}
	return part.Part{
		Name: "group",
		Routes: slices.Concat(
			groups{a}.routes(),
			namespaces{a}.routes(),
			members{a}.routes(),
			ldapLinks{a, links}.routes(),
			samlLinks{a}.routes(),
			shares{a}.routes(),
			billable{a}.routes(),
			invitations{a}.routes(),
			accessTokens{a}.routes(),
		),
		Abilities: abilities,
		Refusals:  group.Refusals,
		Listeners: group.Listeners,
		Jobs:      group.Jobs(links),
	}
}
