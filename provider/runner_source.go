package provider

import (
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/pattern"
)

// runnerRow is the type of a runner in a list.
func runnerRow() map[string]cty.Type {
	return map[string]cty.Type{
		"id": cty.Number, "description": cty.String, "runner_type": cty.String, "status": cty.String,
		"is_shared": cty.Bool, "online": cty.Bool, "paused": cty.Bool,
	}
}

func runnersSource() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "runners",
			Doc: "The runners of a group or project, or without either all runners, which requires an administrator. " +
				"Runners in the configuration are included before they exist.",
			Check: AtMostOneOf("group", "project"),
			Data: &schema.Data{
				Of: "group_runner", Owner: "group", Rows: "runners", Filters: runnerFilters(),
				Else: &schema.Data{
					Of: "project_runner", Owner: "project", Rows: "runners", Filters: runnerFilters(),
					Else: &schema.Data{Of: "instance_runner", Top: "runners/all", Rows: "runners",
						Filters: runnerFilters()},
				},
			},
		},
		Table: []Attr{
			Reference("group", "group", "The group."),
			Reference("project", "project", "The project."),
			String("type", "Include only runners of this type: instance_type, group_type or project_type.",
				OneOf("instance_type", "group_type", "project_type")),
			String("status", "Include only runners with this status: online, offline, stale or never_contacted.",
				OneOf("online", "offline", "stale", "never_contacted")),
			Bool("paused", "Include only paused runners if true, only others if false."),
			StringSet("tag_list", "Include only runners with all of these tags."),
			String("version_prefix", "Include only runners whose version starts with this, such as `17` or `17.5`. "+
				"Runners that never contacted the host have none.", Check(checkVersionPrefix)),
			Typed(cty.List(cty.Number), "ids", "The ids, sorted by description.", Computed),
			Typed(cty.List(cty.Object(runnerRow())), "runners", "The runners, in the same order.", Computed),
		},
	}
}

func runnerFilters() []schema.Filter {
	return []schema.Filter{
		{Arg: "type", Reads: []string{"runner_type"}, Match: matchesField("runner_type",
			func(o schema.Object) string { return strings.TrimSuffix(o.Kind.Name, "_runner") + "_type" })},
		{Arg: "status", Reads: []string{"status"}, Match: matchesField("status",
			func(schema.Object) string { return "never_contacted" })},
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
}

var versionStart = pattern.Lazy(`^\d+(\.\d+)*\.?$`)

func checkVersionPrefix(v cty.Value) error {
	if s := v.AsString(); !versionStart().MatchString(s) {
		return fmt.Errorf("%q is not the start of a version, such as 17 or 17.5", s)
	}
	return nil
}

// matchesField matches a field of a runner. For a declared runner, planned returns what
// the host will answer.
func matchesField(name string, planned func(schema.Object) string) func(schema.Object, cty.Value) bool {
	return func(o schema.Object, arg cty.Value) bool {
		arg, _ = arg.Unmark()
		if o.ID == "" {
			return planned(o) == arg.AsString()
		}
		return stringOf(o, name) == arg.AsString()
	}
}
