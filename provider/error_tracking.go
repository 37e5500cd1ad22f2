package provider

import (
	"net/http"

	"hew/schema"
)

// errorTracking says whether the errors of a project's programs are collected (spec 3
// §4.5, gaps §13.4). Hosts answer 404 until it is set, which only PUT can do (A18), and
// cannot delete it.
func errorTracking() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "error_tracking",
			Doc: "The error tracking settings of a project. Hosts cannot delete them, so hew turns error " +
				"tracking off instead.",
			Collection: "projects/{project}/error_tracking/settings",
			Holds:      schema.OneOrNone,
			Match:      schema.ByKey("project"),
			Need:       inProject.need,
			Gated:      true, // a setting of the host
		},
		Table: []Attr{
			Reference("project", "project", "The project.", Required, ForceNew),
			Bool("active", "Whether error tracking is on.", Required, AlwaysSent),
			Bool("integrated", "Whether the host collects the errors itself, without an external service.", Required,
				AlwaysSent),
			String("project_name", "The name of the project in the external service.", Computed),
			String("api_url", "The API URL of the external service.", Computed),
			String("sentry_external_url", "The URL of the project in the external service.", Computed),
		},
		API: REST{Create: http.MethodPut, Update: http.MethodPatch, Disable: map[string]any{"active": false}},
	}
}

// errorTrackingKey is a key with which programs send their errors. Keys have no
// arguments, so a declared one is the oldest that no other block manages.
func errorTrackingKey() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "error_tracking_key",
			Doc: "A key for applications that send errors. It is public. Keys have no names: " +
				"a block adopts the oldest active key that no other block manages, or creates one.",
			Collection: "projects/{project}/error_tracking/client_keys",
			Match:      schema.ByAge(),
			Need:       inProject.need,
			Gated:      true, // a setting of the host
		},
		Table: []Attr{
			Reference("project", "project", "The project.", Required, ForceNew),
			ID(),
			Bool("active", "Whether the key is active.", Computed),
			String("public_key", "The public key.", Computed),
			String("sentry_dsn", "The DSN to configure applications with.", Computed),
		},
		API: REST{ListOnly: true, Reads: []string{"active"}, Decode: skipInactive},
	}
}
