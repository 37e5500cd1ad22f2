package provider

import (
	"context"
	"fmt"

	"path"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/provider/client"
	"hew/schema"
)

// group is a group or subgroup (spec 2 §2.7, gaps §3.1 and §3.2).
func group() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "group",
			Doc: "A group or subgroup, with its settings. Its projects and subgroups inherit members and " +
				"settings.",
			Collection: "groups/{parent}/subgroups?all_available=true",
			Root:       "groups",
			Match:      schema.ByKey("full_path"),
			Unique:     []schema.Unique{{Attrs: []string{"name"}, FoldCase: true}},
			Visible:    "visibility",
			Check:      checkGroupPath,
			Tree:       &schema.Tree{Owner: "parent", Segment: "path", Full: "full_path"},
			Need:       inGroup.need,
			Soft:       true,
		},
		Table: Join([]Attr{
			Reference("parent", "group",
				"The parent group. Without it, the group is top-level. A new parent transfers the group. "+
					"Removing a parent that hew has set transfers the group to the top level: its paths become "+
					"shorter, owners of the parent lose it, "+
					"and the token's user becomes an owner if there is no other. If hew has neither set the parent "+
					"nor seen the group at the top "+
					"level, the group stays where it is, and the plan says so.",
				Parameter("parent_id")),
			String("path", "The last part of the group's path. A new path renames the group; the host redirects from "+
				"the old one.",
				Required, CaseInsensitive, Check(checkPathSegment)),
			String("name",
				"The display name. A new group defaults to its path, and a name that is the path follows it.",
				Check(NotEmpty), MaxLength(255), Check(checkDisplayName), usuallyPath),
		}, groupSettings(), groupLateSettings(), []Attr{
			ID(),
			String("full_path", "The full path, including all parents.", Computed, CaseInsensitive),
			String("full_name", "The full name, including all parents.", Computed),
			String("web_url", "The URL of the group.", Computed),
			String("created_at", "The time of creation.", Computed),
		}),
		API: REST{
			Mistaken: userNamespace,
			Items:    "groups", Item: "groups/{id}?with_projects=false",
			Restore:    "groups/{id}/restore",
			CreateBody: addName,
			Before: []Action{
				{Attr: "parent", Method: "POST", Path: "groups/{id}/transfer", Parameter: "group_id"},
			},
			Reads: []string{"parent_id", "full_path", "marked_for_deletion_on"},
			Decode: func(d *Decoder, r Record, o *schema.Object) error {
				if _, answered := r["parent_id"]; answered {
					d.SetReference(o, "parent", r.Text("parent_id"), parentPath(r.Text("full_path")))
				}
				setCondition(o, r.Text("marked_for_deletion_on"), false)
				return nil
			},
		},
	}
}

// usuallyPath makes the path the usual value of an attribute.
func usuallyPath(a *Attr) {
	a.Usual = func(o schema.Object) cty.Value { return o.Get("path") }
}

// addName sends the path as the name if no name is stated: hosts require one.
func addName(_ schema.Object, body map[string]any) error {
	if _, stated := body["name"]; !stated {
		body["name"] = body["path"]
	}
	return nil
}

// parentPath returns the full path without its last part, "" at the top level.
func parentPath(full string) string {
	if dir := path.Dir(full); dir != "." {
		return dir
	}
	return ""
}

// setCondition sets the state of an object that is marked for deletion or archived.
func setCondition(o *schema.Object, marked string, archived bool) {
	switch {
	case marked != "":
		o.State, o.Note = schema.PendingDeletion, "marked for deletion on "+marked
	case archived:
		o.State, o.Note = schema.Archived, "archived"
	}
}

// userNamespace returns an error if an id or path is that of a user's namespace, in which users
// have their own projects.
func userNamespace(ctx context.Context, p *Provider, id string) error {
	if strings.Contains(id, "/") {
		return nil
	}
	var found struct{ Kind, Path string }
	if _, err := p.client.Get(ctx, client.To("namespaces/{id}", id), nil, &found); err != nil || found.Kind != "user" {
		return nil // the group is absent then, which is said elsewhere
	}
	return fmt.Errorf("it is the namespace of the user %s, and hew manages only projects and subgroups of groups. "+
		"Choose another path for a new group; for a parent or namespace, name a group, and transfer projects that "+
		"exist into it", found.Path)
}
