package provider

import (
	"net/http"

	"hew/schema"
)

// errorTracking is whether errors of what a project runs are collected (spec 3
// §4.5, gaps §13.4). Hosts answer 404 until it is set, which only PUT does (A18);
// there is no deletion.
var errorTracking = Kind{
	Kind: schema.Kind{
		Name: "error_tracking",
		Doc: "Whether errors of what a project runs are collected. A project has it once it was set, and for good: " +
			"when its block goes, it is switched off.",
		Collection: "projects/{project}/error_tracking/settings",
		Holds:      schema.OneOrNone,
		Match:      schema.ByKey("project"),
		Need:       inProject.need,
		Gated:      true, // by a setting
	},
	Table: []Attr{
		Reference("project", "project", "The project.", Required, ForceNew),
		Bool("active", "Errors are collected.", Required, AlwaysSent),
		Bool("integrated", "By the host itself, and not by a service elsewhere.", Required, AlwaysSent),
		String("project_name", "What the service elsewhere calls the project.", Computed),
		String("api_url", "The address of that service.", Computed),
		String("sentry_external_url", "The address of its pages.", Computed),
	},
	API: REST{Create: http.MethodPut, Update: http.MethodPatch, Disable: map[string]any{"active": false}},
}

// errorTrackingKey is what programs show that send their errors. Nothing can be
// said of one, so that a declared key is the oldest that no other block has.
var errorTrackingKey = Kind{
	Kind: schema.Kind{
		Name: "error_tracking_key",
		Doc: "A key that programs of a project send their errors with. It is in these programs, and no secret. " +
			"Nothing tells keys apart: one that is declared is the oldest active one that no other block has, or else a new one.",
		Collection: "projects/{project}/error_tracking/client_keys",
		Match:      schema.ByAge(),
		Need:       inProject.need,
		Gated:      true, // by a setting
	},
	Table: []Attr{
		Reference("project", "project", "The project.", Required, ForceNew),
		ID(),
		Bool("active", "The key is good.", Computed),
		String("public_key", "The key.", Computed),
		String("sentry_dsn", "The address that programs are given, with the key in it.", Computed),
	},
	API: REST{ListOnly: true, Reads: []string{"active"}, Decode: history},
}
