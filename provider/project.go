package provider

import (
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// project is a project of a group (gaps §4.1 and §4.2).
var project = kind{
	Kind: schema.Kind{
		Name:       "project",
		Doc:        "A project: a repository with its issues, merge requests, pipelines and settings.",
		Collection: "groups/{namespace}/projects?include_subgroups=false&with_shared=false",
		Match:      schema.ByKey("path_with_namespace"),
		Visible:    "visibility",
		Tree:       &schema.Tree{Owner: "namespace", Segment: "path", Full: "path_with_namespace"},
		Need:       "Maintainer of the project (Owner to transfer, archive or delete it)",
		Soft:       true,
		Frozen:     "archived",
	},
	Table: join([]attr{
		ref("namespace", "group", "The group that the project is in. A new one transfers the project.", required, wire("namespace_id")),
		text("path", "The last part of the project's path. A new one renames the project; the host redirects from the old one.",
			required, caseless, check(pathSegment)),
		text("name", "The name that people read. A new project without one is named like its path.", check(notEmpty), atMost(255), likePath),
		boolean("archived", "The project is archived: nothing in it can be changed until it is brought back.", def(false)),
	}, projectOrigin, projectSettings, projectFeatures, projectMerging, projectCI, projectLateSettings, []attr{
		id(),
		text("path_with_namespace", "The whole path, with that of the group.", computed, caseless),
		text("name_with_namespace", "The whole name, with that of the group.", computed),
		text("web_url", "The project's page.", computed),
		text("ssh_url_to_repo", "Where to clone it by SSH.", computed),
		text("http_url_to_repo", "Where to clone it by HTTP.", computed),
		text("created_at", "When it was created.", computed),
	}),
	API: rest{
		Items:   "projects",
		Restore: "projects/{id}/restore",
		New:     nameLikePath,
		Before: []act{
			{Attr: "archived", When: cty.False, Method: "POST", Path: "projects/{id}/unarchive"},
			{Attr: "namespace", Method: "PUT", Path: "projects/{id}/transfer", As: "namespace"},
		},
		After: []act{
			{Attr: "archived", When: cty.True, Method: "POST", Path: "projects/{id}/archive"},
		},
		Reads: []string{"namespace", "archived", "marked_for_deletion_on", "marked_for_deletion_at"},
		Decode: func(d *decoder, r record, o *schema.Object) error {
			if id := r.in("namespace", "id"); id != "" {
				d.refer(o, "namespace", id, r.in("namespace", "full_path"))
			}
			marked := r.text("marked_for_deletion_on")
			if marked == "" {
				marked = r.text("marked_for_deletion_at")
			}
			condition(o, marked, r.is("archived"))
			return nil
		},
	},
}
