package provider

import "hew/schema"

// creating is the one right on a tag.
var creating = []right{{"create", withKeys}}

// Protected tags of projects (gaps §7.4). Hosts do not change one: it is
// unprotected and protected anew.
var protectedTag = kind{
	Kind: schema.Kind{
		Name: "protected_tag",
		Doc: "A protected tag of a project, or all tags of a pattern: who may create it. " +
			"Hosts cannot change one, so a changed one is removed and made again in one step.",
		Collection: "projects/{project}/protected_tags",
		Match:      schema.ByKey("name"),
		Blocks:     blocks(creating),
		Need:       inProject.need,
	},
	Table: join([]attr{
		ref("project", "project", "The project.", required, fixed),
		text("name", "The tag, or a pattern where * stands for anything.", required, fixed, check(notEmpty), atMost(255)),
	}, creating[0].allowed("create it")),
	API: rest{
		ID: "name", NoUpdate: true, Item: "projects/{project}/protected_tags/{id}",
		Reads: []string{"create_access_levels"}, Decode: decodeRef(creating), New: grantRef(creating),
	},
}
