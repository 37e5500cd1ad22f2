package provider

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Runners of the instance, of groups and of projects (spec 3 §2.5, gaps §10.4 and
// §10.5). A host shows the token of one when it is made.
var (
	instanceRunner = runner(theInstance, schema.Kind{
		Doc:        "A runner that does the jobs of every project that uses the instance's runners.",
		Collection: "runners/all?type=instance_type", Need: theInstance.need,
	}, REST{})
	groupRunner = runner(inGroup, schema.Kind{
		Doc:        "A runner that does the jobs of all projects in a group and below it.",
		Collection: "groups/{group}/runners?type=group_type", Need: inGroup.need,
	}, REST{ReadEach: true, Reads: []string{"groups"}, Decode: passedDown})
	projectRunner = runner(inProject, schema.Kind{
		Doc:        "A runner that does the jobs of a project, and of others that are named.",
		Collection: "projects/{project}/runners?type=project_type", Need: inProject.need,
		Shared: "projects",
	}, REST{Decode: elsewhere, After: []Action{{Attr: "projects", Run: assign}}, ReleaseForDelete: releaseAll},
		References("projects", "project", "Other projects that it works for. Where `locked` is true, there can be none.", Detail))
)

// runner makes the kind of those in one place, without which they are the
// instance's.
func runner(in holder, k schema.Kind, api REST, more ...Attr) Kind {
	var of []Attr
	if in != theInstance {
		of = []Attr{in.ref(Parameter(in.name + "_id"))}
	}
	k.Name, k.Match, k.Check = in.name+"_runner", schema.ByKey("description"), soundRunner
	k.Doc += " Its token is shown once: the apply that makes it can hand it on, and nobody can read it later. " +
		"It is recognised by its description; of two that are described alike none is touched."
	api.Items, api.Item, api.ReadAfterCreate = "user/runners", "runners/{id}", true
	api.CreateBody = func(_ schema.Object, body map[string]any) { body["runner_type"] = in.name + "_type" }
	return Kind{Kind: k, Table: Join(of, more, runnerSettings), API: api}
}

var runnerSettings = []Attr{
	String("description", "What the runner is called. It tells the runners of one owner apart.", Required, Check(NotEmpty), MaxLength(1024)),
	Bool("paused", "It is handed no jobs.", Default(false)),
	Bool("locked", "It stays with the projects that it is assigned to.", Detail, Default(false)),
	StringSet("tag_list", "What it can do, by the words that jobs ask for.", Detail, Default(cty.SetValEmpty(cty.String))),
	Bool("run_untagged", "It takes jobs that ask for nothing, too.", Detail, Default(true)),
	String("access_level", "Whose jobs it takes: not_protected is all, ref_protected those of protected branches and tags.",
		Detail, OneOf("not_protected", "ref_protected"), Default("not_protected")),
	Number("maximum_timeout", "Seconds that a job may take on it. Without it the project decides.", Detail, Between(600, Unbounded)),
	String("maintenance_note", "What its administrators should know.", Detail, MaxLength(1024), Default("")),
	ID(),
	String("token", "The token that the runner itself is configured with, in the apply that makes it.", Computed, Secret),
	String("status", "Whether it has been heard of: `online`, `offline`, `stale` or `never_contacted`.", Computed),
	Bool("online", "It has been heard of lately.", Computed),
	Bool("is_shared", "It is the instance's.", Computed),
	String("runner_type", "Whose it is: `instance_type`, `group_type` or `project_type`.", Computed),
}

// soundRunner finds a runner that no job could ever be handed to, and one that
// may not work for the projects that it shall work for.
func soundRunner(o schema.Object) (wrong []schema.Problem) {
	if o.Kind.Attr("projects") != nil && isTrue(o.Get("locked")) && lists(o, "projects") {
		wrong = append(wrong, schema.Problem{Attr: "projects", Text: "a runner that is locked works for no other project: leave out projects, or locked"})
	}
	untagged, _ := o.Get("run_untagged").Unmark()
	tags, _ := o.Get("tag_list").Unmark()
	if untagged.IsNull() || !untagged.IsKnown() || untagged.True() || !tags.IsKnown() || !tags.IsNull() && tags.LengthInt() > 0 {
		return wrong
	}
	return append(wrong, schema.Problem{Attr: "run_untagged",
		Text: "run_untagged is false and tag_list is empty, so no job could be handed to this runner: state tags, or leave run_untagged out"})
}

// passedDown tells a runner of a group above from the group's own: the list has
// both, and only the runner itself says whose it is.
func passedDown(d *Decoder, r Record, o *schema.Object) error {
	owner := d.Owner()
	if owner == nil {
		return nil // it was asked for by itself
	}
	var groups []struct{ ID json.Number }
	if err := json.Unmarshal(r["groups"], &groups); err != nil || groups == nil {
		return fmt.Errorf("the host does not tell in groups whether it is the group's own or one of a group above, but %.80s", cmp.Or(string(r["groups"]), "nothing"))
	}
	if !slices.ContainsFunc(groups, func(g struct{ ID json.Number }) bool { return g.ID.String() == owner.ID }) {
		o.State = schema.Absent
	}
	return nil
}
