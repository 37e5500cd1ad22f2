package provider

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// runnerRow is a runner in a list.
var runnerRow = map[string]cty.Type{
	"id": cty.Number, "description": cty.String, "runner_type": cty.String, "status": cty.String,
	"is_shared": cty.Bool, "online": cty.Bool, "paused": cty.Bool,
}

var runnersSource = Kind{
	Kind: schema.Kind{
		Name: "runners",
		Doc: "The runners of a group or of a project, or without either all that there are, which takes an administrator. " +
			"Those of the owner that the configuration declares count before they exist.",
		Check: AtMostOneOf("group", "project"),
		Data: &schema.Data{
			Of: "group_runner", Owner: "group", Rows: "runners", Filters: runnerFilters,
			Else: &schema.Data{
				Of: "project_runner", Owner: "project", Rows: "runners", Filters: runnerFilters,
				Else: &schema.Data{Of: "instance_runner", Top: "runners/all", Rows: "runners", Filters: runnerFilters},
			},
		},
	},
	Table: []Attr{
		Reference("group", "group", "The group."),
		Reference("project", "project", "The project."),
		String("type", "Only those of the type: instance_type, group_type or project_type.", OneOf("instance_type", "group_type", "project_type")),
		String("status", "Only those of the status: online, offline, stale or never_contacted.", OneOf("online", "offline", "stale", "never_contacted")),
		Bool("paused", "Only those that are paused, or that are not. Without it both."),
		StringSet("tag_list", "Only those with all of these tags."),
		String("version_prefix", "Only those whose version begins so, `17` or `17.5`. Those that were never heard of have none.", Check(versionBegins)),
		Typed(cty.List(cty.Number), "ids", "The ids, in the order of the descriptions.", Computed),
		Typed(cty.List(cty.Object(runnerRow)), "runners", "The runners, in the same order.", Computed),
	},
}

var runnerFilters = []schema.Filter{
	{Arg: "type", Reads: []string{"runner_type"}, Match: is("runner_type", func(o schema.Object) string { return strings.TrimSuffix(o.Kind.Name, "_runner") + "_type" })},
	{Arg: "status", Reads: []string{"status"}, Match: is("status", func(schema.Object) string { return "never_contacted" })},
	{Arg: "paused", Reads: []string{"paused"}, Match: func(o schema.Object, arg cty.Value) bool {
		arg, _ = arg.Unmark()
		paused, _ := o.Get("paused").Unmark()
		return nullIsFalse(paused).RawEquals(arg)
	}},
	{Arg: "tag_list", Asks: "tag_list", Match: func(o schema.Object, arg cty.Value) bool {
		have, _ := o.Get("tag_list").UnmarkDeep()
		want, _ := arg.UnmarkDeep()
		for _, tag := range want.AsValueSlice() {
			if have.IsNull() || !have.HasElement(tag).True() {
				return false
			}
		}
		return true
	}},
	{Arg: "version_prefix", Asks: "version_prefix", Match: func(schema.Object, cty.Value) bool { return false }},
}

var versionStart = regexp.MustCompile(`^\d+(\.\d+)*\.?$`)

func versionBegins(v cty.Value) error {
	if s := v.AsString(); !versionStart.MatchString(s) {
		return fmt.Errorf("%q is no beginning of a version: 17 and 17.5 are", s)
	}
	return nil
}

// is matches what the host says of a runner, or of one that is only declared what
// the host will say once it is made.
func is(name string, coming func(schema.Object) string) func(schema.Object, cty.Value) bool {
	return func(o schema.Object, arg cty.Value) bool {
		arg, _ = arg.Unmark()
		if o.ID == "" {
			return coming(o) == arg.AsString()
		}
		return said(o, name) == arg.AsString()
	}
}
