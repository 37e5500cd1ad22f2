package provider

import (
	"path"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// group is a group or subgroup (spec 2 §2.7, gaps §3.1 and §3.2).
var group = Kind{
	Kind: schema.Kind{
		Name:       "group",
		Doc:        "A group: projects and further groups under one path, with members and settings that they inherit.",
		Collection: "groups/{parent}/subgroups?all_available=true",
		Root:       "groups",
		Match:      schema.ByKey("full_path"),
		Visible:    "visibility",
		Tree:       &schema.Tree{Owner: "parent", Segment: "path", Full: "full_path"},
		Need:       inGroup.need,
		Soft:       true,
	},
	Table: Join([]Attr{
		Reference("parent", "group", "The group that this one is in; without it the group is top-level. A new parent transfers the group. "+
			"Taking away a parent that hew has set transfers it to the top level: its paths get shorter, the owners of the parent do not own it "+
			"any more, and the token's user becomes an owner if it has none of its own. A group that is below another one and was neither put "+
			"there nor seen at the top level by hew stays where it is, and the plan says so.",
			Parameter("parent_id")),
		String("path", "The last part of the group's path. A new one renames the group; the host redirects from the old one.",
			Required, CaseInsensitive, Check(pathSegment)),
		String("name", "The name that people read. A new group without one is named like its path.", Check(NotEmpty), MaxLength(255), likePath),
	}, groupSettings, groupLateSettings, []Attr{
		ID(),
		String("full_path", "The whole path, with those of all parents.", Computed, CaseInsensitive),
		String("full_name", "The whole name, with those of all parents.", Computed),
		String("web_url", "The group's page.", Computed),
		String("created_at", "When it was created.", Computed),
	}),
	API: REST{
		Items: "groups", Item: "groups/{id}?with_projects=false",
		Restore:    "groups/{id}/restore",
		CreateBody: nameLikePath,
		Before: []Action{
			{Attr: "parent", Method: "POST", Path: "groups/{id}/transfer", Parameter: "group_id"},
		},
		Reads: []string{"parent_id", "full_path", "marked_for_deletion_on"},
		Decode: func(d *Decoder, r Record, o *schema.Object) error {
			if _, answered := r["parent_id"]; answered {
				d.SetReference(o, "parent", r.Text("parent_id"), parentPath(r.Text("full_path")))
			}
			condition(o, r.Text("marked_for_deletion_on"), false)
			return nil
		},
	},
}

// likePath is for what is called as its path is, unless somebody says otherwise.
func likePath(a *Attr) {
	a.Usual = func(o schema.Object) cty.Value { return o.Get("path") }
}

// nameLikePath names what is created without a name: hosts insist on one.
func nameLikePath(o schema.Object, body map[string]any) {
	if _, stated := body["name"]; !stated {
		body["name"] = body["path"]
	}
}

// parentPath is the full path without its last part, "" at the top.
func parentPath(full string) string {
	if dir := path.Dir(full); dir != "." {
		return dir
	}
	return ""
}

// condition sets the state of something that is deleted later or archived.
func condition(o *schema.Object, marked string, archived bool) {
	switch {
	case marked != "":
		o.State, o.Note = schema.PendingDeletion, "marked for deletion on "+marked
	case archived:
		o.State, o.Note = schema.Archived, "archived"
	}
}
