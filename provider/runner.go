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
// §10.5). A host shows the token once, in answer to the creation.
func instanceRunner() Kind {
	return runner(theInstance, schema.Kind{
		Doc:        "A runner for the jobs of all projects that use instance runners.",
		Collection: "runners/all?type=instance_type", Need: theInstance.need,
	}, REST{})
}

func groupRunner() Kind {
	return runner(inGroup, schema.Kind{
		Doc:        "A runner for the jobs of all projects in a group and its subgroups.",
		Collection: "groups/{group}/runners?type=group_type", Need: inGroup.need,
	}, REST{ReadEach: true, Reads: []string{"groups"}, Decode: checkRunnerGroup})
}

func projectRunner() Kind {
	return runner(inProject, schema.Kind{
		Doc:        "A runner for the jobs of a project, and of the other projects in `projects`.",
		Collection: "projects/{project}/runners?type=project_type", Need: inProject.need,
		Shared: "projects",
	}, REST{Decode: otherProjects, After: []Action{{Attr: "projects", Run: assignProjects}},
		ReleaseForDelete: releaseOthers},
		References("projects", "project", "Other projects that the runner serves. A locked runner can have none.",
			Detail, OpensGrowing))
}

// runner returns the kind of runners of a holder, or of the instance if it is empty.
func runner(in holder, k schema.Kind, api REST, more ...Attr) Kind {
	var of []Attr
	if in != theInstance {
		of = []Attr{in.ref(Parameter(in.name + "_id"))}
	}
	k.Name, k.Match, k.Check = in.name+"_runner", schema.ByKey("description"), checkRunner
	k.Doc += " The host shows its token once: only the apply that creates the runner can pass it on. " +
		"It is identified by its description; if two have the same description, neither is changed."
	api.Items, api.Item, api.ReadAfterCreate = "user/runners", "runners/{id}", true
	api.CreateBody = func(_ schema.Object, body map[string]any) error {
		body["runner_type"] = in.name + "_type"
		return nil
	}
	return Kind{Kind: k, Table: Join(of, more, runnerSettings()), API: api}
}

func runnerSettings() []Attr {
	return []Attr{
		String("description", "The description of the runner, which identifies it among the runners of its owner.",
			Required, Check(NotEmpty), MaxLength(1024)),
		Bool("paused", "Whether the runner is paused and gets no jobs.", Default(false)),
		Bool("locked", "Whether the runner is locked to its projects.", Detail, Default(false), OpensIf(false)),
		StringSet("tag_list", "The tags of the runner, up to 50.", Detail, Default(cty.SetValEmpty(cty.String)),
			Check(checkTagCount), ElementsUpTo(255)),
		Bool("run_untagged", "Whether the runner takes jobs without tags.", Detail, Default(true), OpensIf(true)),
		String("access_level", "The jobs that the runner takes: not_protected is all, ref_protected those of "+
			"protected branches and tags.",
			Detail, OneOf("not_protected", "ref_protected"), Default("not_protected"),
			OpensAlong("ref_protected", "not_protected")),
		Number("maximum_timeout", "The maximum timeout of a job, in seconds. Without it, the project decides.", Detail,
			Between(600, Unbounded)),
		String("maintenance_note", "A note for administrators.", Detail, MaxLength(1024), Default("")),
		ID(),
		String("token", "The token to configure the runner with, known only in the apply that creates it.", Computed,
			Secret),
		String("status", "The status: `online`, `offline`, `stale` or `never_contacted`.", Computed),
		Bool("online", "Whether the runner is online.", Computed),
		Bool("is_shared", "Whether the runner is an instance runner.", Computed),
		String("runner_type", "The type: `instance_type`, `group_type` or `project_type`.", Computed),
	}
}

// checkRunner rejects a runner that could never get a job, and a locked one with other
// projects.
func checkRunner(o schema.Object) (wrong []schema.Problem) {
	if o.Kind.Attr("projects") != nil && isTrue(o.Get("locked")) && hasElements(o, "projects") {
		wrong = append(wrong, schema.Problem{Attr: "projects",
			Text: "a locked runner cannot have further projects; remove projects or locked"})
	}
	untagged, _ := o.Get("run_untagged").Unmark()
	tags, _ := o.Get("tag_list").Unmark()
	if untagged.IsNull() || !untagged.IsKnown() || untagged.True() || !tags.IsKnown() || !tags.IsNull() &&
		tags.LengthInt() > 0 {
		return wrong
	}
	return append(wrong, schema.Problem{Attr: "run_untagged",
		Text: "no job could run on a runner with run_untagged = false and no tags; set tag_list, or remove " +
			"run_untagged"})
}

// maxTags is how many tags a runner can have.
const maxTags = 50

func checkTagCount(v cty.Value) error {
	if n := v.LengthInt(); n > maxTags {
		return fmt.Errorf("has %d tags, but at most %d are allowed", n, maxTags)
	}
	return nil
}

// checkRunnerGroup makes a runner of a group above Absent: the list has both, and only
// the runner itself names its group.
func checkRunnerGroup(d *Decoder, r Record, o *schema.Object) error {
	owner := d.Owner()
	if owner == nil {
		return nil // found by its id
	}
	var groups []struct{ ID json.Number }
	if err := json.Unmarshal(r["groups"], &groups); err != nil || groups == nil {
		return fmt.Errorf("the host does not say in groups whether the runner belongs to this group or to a "+
			"parent; it answered %.80s", cmp.Or(string(r["groups"]), "nothing"))
	}
	if !slices.ContainsFunc(groups, func(g struct{ ID json.Number }) bool { return g.ID.String() == owner.ID }) {
		o.State = schema.Absent
	}
	return nil
}
