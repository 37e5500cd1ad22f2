package provider

import (
	"slices"

	"hew/schema"
)

// groupSource reads a group that others manage.
var groupSource = kind{
	Kind: schema.Kind{
		Name: "group",
		Doc:  "A group, by full path or id.",
		Data: &schema.Data{Of: "group", Single: true, Keys: []string{"id", "path"}},
		Attrs: join([]schema.Attr{
			number("id", "The id on the host."),
			text("path", "The full path."),
		}, answered(group.Attrs, "id", "path")),
	},
}

// answered are the attributes of a resource as a source gives them, without
// those named, secrets, and what matters at creation alone.
func answered(attrs []schema.Attr, without ...string) []schema.Attr {
	var out []schema.Attr
	for _, a := range attrs {
		if !a.Secret && !a.Once && !slices.Contains(without, a.Name) {
			out = append(out, schema.Attr{Name: a.Name, Wire: a.Wire, Doc: a.Doc, Type: a.Type, Norm: a.Norm, Show: a.Show, Ref: a.Ref, Mode: schema.Computed})
		}
	}
	return out
}
