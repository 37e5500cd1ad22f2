// Package api serves the routes of webhooks and their deliveries.
package api

import (
	"slices"

	"hew/server/hook"
	"hew/server/part"
)

// Part returns what package hook adds to the server.
func Part(host part.Host) part.Part {
	sender := &hook.Sender{Out: host.Out, Base: host.Base, Version: host.Version, Log: host.Log}
	return part.Part{
		Name:      "hook",
		Routes:    slices.Concat(hooks{sender}.routes(), systemHooks{hooks{sender}}.routes()),
		Abilities: abilities,
		Refusals:  hook.Refusals,
		Listeners: hook.Listeners(host.Base),
		Jobs:      hook.Jobs(sender),
		Specimen:  specimen,
	}
}
