package provider

import (
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Milestones of groups and projects (gaps §6.4). They are closed by an event, and
// a new one is always active.
var (
	groupMilestone   = milestone(inGroup.as("Planner"), "A milestone of a group, for the issues and merge requests of all projects below it.")
	projectMilestone = milestone(inProject.as("Planner"), "A milestone of a project, for its issues and merge requests.")
)

func milestone(in holder, doc string) Kind {
	return Kind{
		Kind: schema.Kind{
			Name:       in.name + "_milestone",
			Doc:        doc + " It is recognised by its title, which no other milestone above or below has.",
			Collection: in.path("milestones"),
			Match:      schema.ByKey("title"),
			Check:      startBeforeDue,
			Need:       in.need,
		},
		Table: []Attr{
			in.ref(),
			String("title", "What the milestone is called.", Required, Check(NotEmpty), Check(notPadded), MaxLength(255)),
			String("description", "What it is about.", Default("")),
			Date("start_date", "The day on which it begins, as YYYY-MM-DD; empty is none.", Check(aDay)),
			Date("due_date", "The day on which it ends, as YYYY-MM-DD; empty is none.", Check(aDay)),
			String("state", "Whether it is `active` or `closed`.", OneOf("active", "closed"), Default("active"),
				Parameter("state_event"), Field("state"), SentAfterCreate, Encode(milestoneEvent)),
			ID(),
			Number("iid", "Its number in the "+in.name+".", Computed),
			String("web_url", "Its page.", Computed),
		},
	}
}

func milestoneEvent(state cty.Value) any {
	if !state.IsNull() && state.AsString() == "closed" {
		return "close"
	}
	return "activate"
}

// startBeforeDue refuses a milestone that ends before it begins. Days are written
// so that they sort as texts.
func startBeforeDue(o schema.Object) []schema.Problem {
	start, due := said(o, "start_date"), said(o, "due_date")
	if start == "" || due == "" || day(cty.StringVal(start)).AsString() <= day(cty.StringVal(due)).AsString() {
		return nil
	}
	return []schema.Problem{{Attr: "due_date", Text: "it is before start_date: a milestone ends on the day on which it begins, or later"}}
}
