package provider

import (
	"net/http"

	"hew/schema"
)

// errorTracking is whether errors of what a project runs are collected (spec 3
// §4.5, gaps §13.4). Hosts answer 404 until it is set, which only PUT does (A18);
// there is no deletion.
var errorTracking = kind{
	Kind: schema.Kind{
		Name: "error_tracking",
		Doc: "Whether errors of what a project runs are collected. A project has it once it was set, and for good: " +
			"when its block goes, it is switched off.",
		Collection: "projects/{project}/error_tracking/settings",
		Holds:      schema.OneOrNone,
		Match:      schema.ByKey("project"),
		Need:       inProject.need,
	},
	Table: []attr{
		ref("project", "project", "The project.", required, fixed),
		boolean("active", "Errors are collected.", required, always),
		boolean("integrated", "By the host itself, and not by a service elsewhere.", required, always),
		text("project_name", "What the service elsewhere calls the project.", computed),
		text("api_url", "The address of that service.", computed),
		text("sentry_external_url", "The address of its pages.", computed),
	},
	API: rest{Create: http.MethodPut, Update: http.MethodPatch, Disable: map[string]any{"active": false}},
}

// errorTrackingKey is what programs show that send their errors. Nothing can be
// said of one, so that a declared key is the oldest that no other block has.
var errorTrackingKey = kind{
	Kind: schema.Kind{
		Name: "error_tracking_key",
		Doc: "A key that programs of a project send their errors with. It is in these programs, and no secret. " +
			"Nothing tells keys apart: one that is declared is the oldest active one that no other block has, or else a new one.",
		Collection: "projects/{project}/error_tracking/client_keys",
		Match:      schema.ByAge(),
		Need:       inProject.need,
	},
	Table: []attr{
		ref("project", "project", "The project.", required, fixed),
		id(),
		boolean("active", "The key is good.", computed),
		text("public_key", "The key.", computed),
		text("sentry_dsn", "The address that programs are given, with the key in it.", computed),
	},
	API: rest{Listed: true, Reads: []string{"active"}, Decode: history},
}
