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
		Refusals:  analytics.Refusals,
		Specimen:  specimen,
	}
}

// Those who read a project ask the engine about it, and its developers read the funnels (spec 3
// §4.6), unless the project has its analytics switched off.
var (
	readAnalytics = policy.Ability{
		Name: "read_product_analytics", Min: policy.Guest, Public: true, Feature: policy.Analytics,
	}
	readFunnels = policy.Ability{
		Name: "read_product_analytics_funnels", Min: policy.Developer, Feature: policy.Analytics,
	}
	// adminAnalytics is the ability to say whose funnels a project has.
	adminAnalytics = policy.Ability{
		Name: "admin_product_analytics", Min: policy.Maintainer, Feature: policy.Analytics, Writes: true,
	}
)

var abilities = []policy.Ability{readAnalytics, readFunnels, adminAnalytics}
