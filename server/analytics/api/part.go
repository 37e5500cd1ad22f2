// Package api serves the routes of product analytics.
package api

import (
	"slices"

	"hew/server/analytics"
	"hew/server/part"
	"hew/server/policy"
)

// Part returns what package analytics adds to the server.
func Part(host part.Host) part.Part {
	engine := analytics.Engine{Out: host.Out, Base: host.Base}
	return part.Part{
		Name:      "analytics",
		Routes:    slices.Concat(queries{engine}.routes(), funnels{}.routes()),
		Abilities: abilities,
		Specimen:  specimen,
	}
}

// readFunnels is what reads the funnels of a project (spec 3 §4.6). Everything else can be asked by
// those who read the project.
var readFunnels = policy.Ability{Name: "read_product_analytics_funnels", Min: policy.Developer}

var abilities = []policy.Ability{readFunnels}
