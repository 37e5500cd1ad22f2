package provider

import (
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Milestones of groups and projects (gaps §6.4). An event closes one; a new one is
// always active.
func groupMilestone() Kind {
	return milestone(inGroup.as("Planner"),
		"A milestone of a group, for issues and merge requests of all its projects.")
}

func projectMilestone() Kind {
	return milestone(inProject.as("Planner"),
		"A milestone of a project, for its issues and merge requests.")
}

func milestone(in holder, doc string) Kind {
	return Kind{
		Kind: schema.Kind{
			Name:       in.name + "_milestone",
			Doc:        doc + " It is identified by its title, which is unique among parent groups and below.",
			Collection: in.path("milestones"),
			Match:      schema.ByKey("title"),
			Unique:     []schema.Unique{{Attrs: []string{"title"}, InAncestry: "milestone"}},
			Check:      checkDates,
			Need:       in.need,
		},
		Table: []Attr{
			in.ref(),
			String("title", "The title of the milestone.", Required, Check(NotEmpty), Check(checkNotPadded),
				MaxLength(255)),
			String("description", "A description of the milestone.", Default("")),
			Date("start_date", "The start date, as YYYY-MM-DD. Empty is none.", Check(checkDate)),
			Date("due_date", "The due date, as YYYY-MM-DD. Empty is none.", Check(checkDate)),
			String("state", "The state: `active` or `closed`.", OneOf("active", "closed"), Default("active"),
				Parameter("state_event"), Field("state"), SentAfterCreate, Encode(encodeMilestoneEvent)),
			ID(),
			Number("iid", "The number of the milestone in the "+in.name+".", Computed),
			String("web_url", "The URL of the milestone.", Computed),
		},
	}
}

func encodeMilestoneEvent(state cty.Value) any {
	if !state.IsNull() && state.AsString() == "closed" {
		return "close"
	}
	return "activate"
}

// checkDates rejects a milestone that ends before it begins. Dates sort as strings.
func checkDates(o schema.Object) []schema.Problem {
	start, due := stringOf(o, "start_date"), stringOf(o, "due_date")
	if start == "" || due == "" ||
		normDate(cty.StringVal(start)).AsString() <= normDate(cty.StringVal(due)).AsString() {
		return nil
	}
	return []schema.Problem{{Attr: "due_date", Text: "due_date must not be before start_date"}}
}
