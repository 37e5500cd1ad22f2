package provider

import (
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/catalogue"
)

func integrationsSource() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "integrations",
			Doc: "The active integrations of a group or project. " +
				"Those in the configuration are included before they exist.",
			Check: ExactlyOneOf("group", "project"),
			Data: &schema.Data{
				Of: "group_integration", Owner: "group", Names: "slugs", Rows: "integrations",
				Else: &schema.Data{Of: "integration", Owner: "project", Names: "slugs", Rows: "integrations"},
			},
		},
		Table: []Attr{
			Reference("group", "group", "The group."),
			Reference("project", "project", "The project."),
			Typed(cty.List(cty.String), "slugs", "The slugs of the services, sorted.", Computed),
			Typed(cty.List(cty.Object(integrationRow())), "integrations",
				"The integrations, in the same order, with their events. Properties are not listed.", Computed),
		},
	}
}

// integrationRow is the type of an integration in a list.
func integrationRow() map[string]cty.Type {
	row := map[string]cty.Type{
		"slug": cty.String, "title": cty.String, "use_inherited_settings": cty.Bool, "created_at": cty.String,
	}
	for _, f := range catalogue.Flags() {
		row[f.Name] = cty.Bool
	}
	return row
}
