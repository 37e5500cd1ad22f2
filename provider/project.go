package provider

import (
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// project is a project of a group (gaps §4.1 and §4.2).
var project = Kind{
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
	Table: Join([]Attr{
		Reference("namespace", "group", "The group that the project is in. A new one transfers the project.", Required, Parameter("namespace_id")),
		String("path", "The last part of the project's path. A new one renames the project; the host redirects from the old one.",
			Required, CaseInsensitive, Check(pathSegment)),
		String("name", "The name that people read. A new project without one is named like its path.", Check(NotEmpty), MaxLength(255), likePath),
		Bool("archived", "The project is archived: nothing in it can be changed until it is brought back.", Default(false)),
	}, projectOrigin, projectSettings, projectFeatures, projectMerging, projectCI, projectLateSettings, []Attr{
		ID(),
		String("path_with_namespace", "The whole path, with that of the group.", Computed, CaseInsensitive),
		String("name_with_namespace", "The whole name, with that of the group.", Computed),
		String("web_url", "The project's page.", Computed),
		String("ssh_url_to_repo", "Where to clone it by SSH.", Computed),
		String("http_url_to_repo", "Where to clone it by HTTP.", Computed),
		String("created_at", "When it was created.", Computed),
	}),
	API: REST{
		Items:      "projects",
		Restore:    "projects/{id}/restore",
		CreateBody: nameLikePath,
		Before: []Action{
			{Attr: "archived", When: cty.False, Method: "POST", Path: "projects/{id}/unarchive"},
			{Attr: "namespace", Method: "PUT", Path: "projects/{id}/transfer", Parameter: "namespace"},
		},
		After: []Action{
			{Attr: "archived", When: cty.True, Method: "POST", Path: "projects/{id}/archive"},
		},
		Reads: []string{"namespace", "archived", "marked_for_deletion_on", "marked_for_deletion_at"},
		Decode: func(d *Decoder, r Record, o *schema.Object) error {
			if id := r.TextIn("namespace", "id"); id != "" {
				d.SetReference(o, "namespace", id, r.TextIn("namespace", "full_path"))
			}
			marked := r.Text("marked_for_deletion_on")
			if marked == "" {
				marked = r.Text("marked_for_deletion_at")
			}
			condition(o, marked, r.IsTrue("archived"))
			return nil
		},
	},
}
