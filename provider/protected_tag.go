package provider

import "hew/schema"

// creating is the one right on a tag.
var creating = []right{{"create", withKeys}}

// Protected tags of projects (gaps §7.4). Hosts cannot update one, so a change
// recreates it.
func protectedTag() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "protected_tag",
			Doc: "A protected tag of a project, by name or pattern. It controls who can create it. " +
				"Hosts cannot update a protected tag, so a change deletes and creates it in one step.",
			Collection: "projects/{project}/protected_tags",
			Match:      schema.ByKey("name"),
			Unique:     []schema.Unique{{Attrs: []string{"name"}}},
			Blocks:     grantBlocks(creating),
			Need:       inProject.need,
			Protects:   true,
		},
		Table: Join([]Attr{
			Reference("project", "project", "The project.", Required, ForceNew),
			String("name", "The name of the tag, or a pattern with * as a wildcard.", Required, ForceNew,
				Check(NotEmpty),
				MaxLength(255)),
		}, creating[0].rows("create it")),
		API: REST{
			ID: "name", Recreate: true, Item: "projects/{project}/protected_tags/{id}",
			Reads: []string{"create_access_levels"}, Decode: decodeGrants(creating), CreateBody: grantBody(creating),
		},
	}
}
