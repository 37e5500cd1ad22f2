package provider

import (
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// alertIntegration is an endpoint that receives alerts for a project (spec 3 §4.2, gaps
// §13.2). A host shows its key once, in answer to the creation.
func alertIntegration() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "alert_integration",
			Doc: "An endpoint that receives alerts about a project from a monitoring tool. The host shows its key " +
				"once: only the apply that creates the integration can pass it on.",
			Collection: "projects/{project}/alert_integrations",
			Match:      schema.ByKey("name"),
			Check:      checkAlertURL,
			Need:       inProject.need,
			Gated:      true, // a setting of the host
		},
		Table: []Attr{
			Reference("project", "project", "The project.", Required, ForceNew),
			String("name", "The name of the integration, which is part of its URL.", Required, Check(NotEmpty),
				MaxLength(255)),
			String("type", "The format of the alerts: `http` accepts the generic and the Prometheus format, "+
				"`prometheus` only the latter.",
				ForceNew, OneOf("http", prometheus), Default("http")),
			Bool("active", "Whether alerts are accepted.", Default(true)),
			String("api_url", "The URL of the monitoring tool. Required for type `prometheus`.", Default(""),
				Check(checkOptionalURL)),
			ID(),
			String("url", "The URL to send alerts to.", Computed),
			String("authorization_key", "The key to send along, known only in the apply that creates the integration.",
				Computed, Secret),
			String("created_at", "The time of creation.", Computed),
		},
	}
}

const prometheus = "prometheus"

// checkAlertURL requires a URL for type prometheus: hosts refuse an integration without
// one.
func checkAlertURL(o schema.Object) []schema.Problem {
	if v := o.Get("api_url"); stringOf(o, "type") != prometheus || !v.IsKnown() || stringOf(o, "api_url") != "" {
		return nil
	}
	return []schema.Problem{{Attr: "type",
		Text: "api_url is required if type is prometheus; set it to the URL of the monitoring tool"}}
}

// checkOptionalURL accepts an absolute URL, or "" to remove it.
func checkOptionalURL(v cty.Value) error {
	if v.AsString() == "" {
		return nil
	}
	return AbsoluteURL(v)
}
