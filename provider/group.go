package provider

import (
	"path"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// group is a group or subgroup (spec 2 §2.7, gaps §3.1 and §3.2).
var group = kind{
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
	Table: join([]attr{
		ref("parent", "group", "The group that this one is in; without it the group is top-level. A new parent transfers the group. "+
			"Taking away a parent that hew has set transfers it to the top level: its paths get shorter, the owners of the parent do not own it "+
			"any more, and the token's user becomes an owner if it has none of its own. A group that is below another one and was neither put "+
			"there nor seen at the top level by hew stays where it is, and the plan says so.",
			wire("parent_id")),
		text("path", "The last part of the group's path. A new one renames the group; the host redirects from the old one.",
			required, caseless, check(pathSegment)),
		text("name", "The name that people read. A new group without one is named like its path.", check(notEmpty), atMost(255), likePath),
	}, groupSettings, groupLateSettings, []attr{
		id(),
		text("full_path", "The whole path, with those of all parents.", computed, caseless),
		text("full_name", "The whole name, with those of all parents.", computed),
		text("web_url", "The group's page.", computed),
		text("created_at", "When it was created.", computed),
	}),
	API: rest{
		Items: "groups", Item: "groups/{id}?with_projects=false",
		Restore: "groups/{id}/restore",
		New:     nameLikePath,
		Before: []act{
			{Attr: "parent", Method: "POST", Path: "groups/{id}/transfer", As: "group_id"},
		},
		Reads: []string{"parent_id", "full_path", "marked_for_deletion_on"},
		Decode: func(d *decoder, r record, o *schema.Object) error {
			if _, answered := r["parent_id"]; answered {
				d.refer(o, "parent", r.text("parent_id"), parentPath(r.text("full_path")))
			}
			condition(o, r.text("marked_for_deletion_on"), false)
			return nil
		},
	},
}

// likePath is for what is called as its path is, unless somebody says otherwise.
func likePath(a *attr) {
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
