package provider

import (
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

func milestonesSource() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "milestones",
			Doc: "The milestones of a group or project. Milestones in the configuration are included before they " +
				"exist.",
			Check: ExactlyOneOf("group", "project"),
			Data: &schema.Data{
				Of: "group_milestone", Owner: "group", Names: "titles", By: "by_title", Rows: "milestones",
				Recursive: "inherited", Deep: "groups/{group}/milestones?include_ancestors=true",
				Filters: milestoneFilters(),
				Else: &schema.Data{
					Of: "project_milestone", Owner: "project", Names: "titles", By: "by_title", Rows: "milestones",
					Recursive: "inherited", Deep: "projects/{project}/milestones?include_ancestors=true",
					Above: "group_milestone", Filters: milestoneFilters(),
				},
			},
		},
		Table: Join([]Attr{
			Reference("group", "group", "The group."),
			Reference("project", "project", "The project."),
			Bool("inherited", "Whether to include milestones of parent groups.", Default(false)),
			String("search", "Include only milestones with this in their title, in any case."),
			String("state", "Include only milestones with this state: `active` or `closed`.",
				OneOf("active", "closed")),
		}, listRows("titles", "by_title", "title"), []Attr{
			Typed(cty.List(cty.Object(rowOf(projectMilestone().Table, milestoneRow...))), "milestones",
				"The milestones, in the same order.", Computed),
		}),
	}
}

// milestoneRow are the attributes of a milestone in a list.
var milestoneRow = []string{"id", "iid", "title", "description", "start_date", "due_date", "state", "web_url"}

func milestoneFilters() []schema.Filter {
	return []schema.Filter{
		{Arg: "search", Reads: []string{"title"}, Match: matchesTitle},
		{Arg: "state", Reads: []string{"state"}, Match: matchesState},
	}
}

func matchesTitle(o schema.Object, arg cty.Value) bool {
	arg, _ = arg.Unmark()
	return strings.Contains(foldCase(stringOf(o, "title")), foldCase(arg.AsString()))
}

func matchesState(o schema.Object, arg cty.Value) bool {
	arg, _ = arg.Unmark()
	return stringOf(o, "state") == arg.AsString()
}
