package provider

import (
	"slices"
	"strings"

	"hew/schema"
)

// Sources for one thing that others manage.

var groupSource = kind{
	Kind: schema.Kind{
		Name: "group",
		Doc:  "A group, by full path or id.",
		Data: &schema.Data{Of: "group", Single: true, Keys: []string{"id", "path"}},
	},
	Table: join(pathOrID, answered(group.Table, "id", "path")),
}

var projectSource = kind{
	Kind: schema.Kind{
		Name: "project",
		Doc:  "A project, by full path or id.",
		Data: &schema.Data{Of: "project", Single: true, Keys: []string{"id", "path"}},
	},
	Table: join(pathOrID, answered(project.Table, "id", "path")),
}

var settingsSource = kind{
	Kind: schema.Kind{
		Name: "application_settings",
		Doc:  "The settings of the instance, as they are once the configuration is applied. It takes an administrator.",
		Data: &schema.Data{Of: "application_settings", Single: true},
	},
	Table: answered(applicationSettings.Table),
}

var pathOrID = []attr{
	number("id", "The id on the host."),
	text("path", "The full path."),
}

// answered are the attributes of a resource as a source gives them, without
// those named, secrets, and what matters at creation alone.
func answered(table []attr, without ...string) []attr {
	var out []attr
	for _, a := range table {
		if a.Secret || a.Once || slices.Contains(without, a.Name) {
			continue
		}
		out = append(out, attr{column: a.column, Attr: schema.Attr{
			Name: a.Name, Wire: a.Wire, Doc: firstSentence(a.Doc), Type: a.Type, Ref: a.Ref,
			Norm: a.Norm, Words: a.Words, Show: a.Show, Mode: schema.Computed,
		}})
	}
	return out
}

// firstSentence is what a value means; what comes after it is about stating it.
func firstSentence(doc string) string {
	first, _, more := strings.Cut(doc, ". ")
	if more {
		first += "."
	}
	return first
}
