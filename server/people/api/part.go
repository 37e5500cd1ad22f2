package api

import (
	"slices"

	"hew/server/part"
	"hew/server/people"
)

// Part returns what package people adds to the server.
func Part(host part.Host) part.Part {
	return part.Part{
		Name: "people",
		Routes: slices.Concat(
			users{host.Site}.routes(),
			userStates{}.routes(),
			userAvatars{host.Site}.routes(),
			tokens{}.routes(),
			impersonationTokens{}.routes(),
			deployTokens{}.routes(),
			sshKeys{host.Site}.routes(),
			gpgKeys(),
			customAttributes{}.routes(),
		),
		Abilities: abilities,
		Refusals:  people.Refusals,
		Jobs:      people.Jobs,
		Specimen:  specimen,
	}
}
