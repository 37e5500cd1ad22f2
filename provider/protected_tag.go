package provider

import "hew/schema"

// creating is the one right on a tag.
var creating = []right{{"create", withKeys}}

// Protected tags of projects (gaps §7.4). Hosts do not change one: it is
// unprotected and protected anew.
var protectedTag = Kind{
	Kind: schema.Kind{
		Name: "protected_tag",
		Doc: "A protected tag of a project, or all tags of a pattern: who may create it. " +
			"Hosts cannot change one, so a changed one is removed and made again in one step.",
		Collection: "projects/{project}/protected_tags",
		Match:      schema.ByKey("name"),
		Blocks:     blocks(creating),
		Need:       inProject.need,
	},
	Table: Join([]Attr{
		Reference("project", "project", "The project.", Required, ForceNew),
		String("name", "The tag, or a pattern where * stands for anything.", Required, ForceNew, Check(NotEmpty), MaxLength(255)),
	}, creating[0].allowed("create it")),
	API: REST{
		ID: "name", Recreate: true, Item: "projects/{project}/protected_tags/{id}",
		Reads: []string{"create_access_levels"}, Decode: decodeRef(creating), CreateBody: grantRef(creating),
	},
}
