package provider

import (
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/catalogue"
)

// project is a project of a group (gaps §4.1 and §4.2).
func project() Kind {
	return Kind{
		Kind: schema.Kind{
			Name:       "project",
			Doc:        "A project with its settings.",
			Collection: "groups/{namespace}/projects?include_subgroups=false&with_shared=false",
			Match:      schema.ByKey("path_with_namespace"),
			Unique:     []schema.Unique{{Attrs: []string{"name"}, FoldCase: true}},
			Visible:    "visibility",
			Tree:       &schema.Tree{Owner: "namespace", Segment: "path", Full: "path_with_namespace"},
			Need:       "Maintainer of the project (Owner to transfer, archive or delete it)",
			Soft:       true,
			Frozen:     "archived",
		},
		Table: Join([]Attr{
			Reference("namespace", "group", "The group of the project. A new group transfers the project.", Required,
				Parameter("namespace_id")),
			String("path", "The last part of the project's path. A new path renames the project; the host redirects "+
				"from the old one.",
				Required, CaseInsensitive, Check(checkPathSegment),
				Check(checkReserved(catalogue.ReservedBelow))),
			String("name",
				"The display name. A new project defaults to its path, and a name that is the path follows it.",
				Check(NotEmpty), MaxLength(255), Check(checkDisplayName), usuallyPath),
			Bool("archived", "Whether the project is archived, which makes it read-only.", Default(false)),
		}, projectOrigin(), projectSettings(), projectFeatures(), projectMerging(), projectCI(), projectLateSettings(),
			[]Attr{
				ID(),
				String("path_with_namespace", "The full path, including the group.", Computed, CaseInsensitive),
				String("name_with_namespace", "The full name, including the group.", Computed),
				String("web_url", "The URL of the project.", Computed),
				String("ssh_url_to_repo", "The URL to clone by SSH.", Computed),
				String("http_url_to_repo", "The URL to clone by HTTP.", Computed),
				String("created_at", "The time of creation.", Computed),
			}),
		API: REST{
			Items:      "projects",
			Restore:    "projects/{id}/restore",
			CreateBody: addName,
			Before: []Action{
				{Attr: "archived", When: cty.False, Method: "POST", Path: "projects/{id}/unarchive"},
				{Attr: "namespace", Method: "PUT", Path: "projects/{id}/transfer", Parameter: "namespace"},
			},
			After: []Action{
				{Attr: "archived", When: cty.True, Method: "POST", Path: "projects/{id}/archive"},
			},
			Reads: []string{"namespace", "archived", "marked_for_deletion_on", "marked_for_deletion_at", "mirror",
				"import_status", "import_error"},
			Decode: func(d *Decoder, r Record, o *schema.Object) error {
				if id := r.TextIn("namespace", "id"); id != "" {
					d.SetReference(o, "namespace", id, r.TextIn("namespace", "full_path"))
				}
				marked := r.Text("marked_for_deletion_on")
				if marked == "" {
					marked = r.Text("marked_for_deletion_at")
				}
				setCondition(o, marked, r.IsTrue("archived"))
				if r.IsTrue("mirror") && r.Text("import_status") == "failed" {
					o.Failure = failureOf("pull", r.Text("import_error"))
				}
				return nil
			},
		},
	}
}
