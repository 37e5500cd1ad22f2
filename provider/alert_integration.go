package provider

import (
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// alertIntegration is what may send a project alerts (spec 3 §4.2, gaps §13.2).
// A host shows the key when it makes one, and never again.
var alertIntegration = Kind{
	Kind: schema.Kind{
		Name: "alert_integration",
		Doc: "An address that a monitoring tool sends alerts about a project to. Its key is shown once: " +
			"the apply that makes the integration can hand it on, and nobody can read it later.",
		Collection: "projects/{project}/alert_integrations",
		Match:      schema.ByKey("name"),
		Check:      toolNamed,
		Need:       inProject.need,
		Gated:      true, // by a setting
	},
	Table: []Attr{
		Reference("project", "project", "The project.", Required, ForceNew),
		String("name", "What the integration is called; a part of its address.", Required, Check(NotEmpty), MaxLength(255)),
		String("type", "What it takes: `http` the generic format and that of metrics, `prometheus` that of metrics alone.",
			ForceNew, OneOf("http", prometheus), Default("http")),
		Bool("active", "Alerts are taken.", Default(true)),
		String("api_url", "Where the monitoring tool is. One of type `prometheus` requires it.", Default(""), Check(urlOrNone)),
		ID(),
		String("url", "Where alerts are to be sent.", Computed),
		String("authorization_key", "The key to show with them, in the apply that makes the integration.", Computed, Secret),
		String("created_at", "When it was created.", Computed),
	},
}

const prometheus = "prometheus"

// toolNamed: hosts refuse an integration of this type without an address.
func toolNamed(o schema.Object) []schema.Problem {
	if v := o.Get("api_url"); said(o, "type") != prometheus || !v.IsKnown() || said(o, "api_url") != "" {
		return nil
	}
	return []schema.Problem{{Attr: "type", Text: "api_url must be stated where type is prometheus: the address of the monitoring tool"}}
}

// urlOrNone accepts an empty text, too: it takes away what there was.
func urlOrNone(v cty.Value) error {
	if v.AsString() == "" {
		return nil
	}
	return AbsoluteURL(v)
}
