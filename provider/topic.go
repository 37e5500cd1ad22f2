package provider

import "hew/schema"

// topic is a word that projects are found by. Projects make those that they name;
// what is said of one is the administrators' to say.
var topic = kind{
	Kind: schema.Kind{
		Name: "topic",
		Doc: "A topic of projects, with its title and description. It is recognised by its name, by which the projects have it; " +
			"one that projects have made already is adopted. With its block it goes from all of them.",
		Collection: "topics",
		Match:      schema.ByKey("name"),
		Need:       theInstance.need,
	},
	Table: []attr{
		text("name", "What projects call it.", required, caseless, check(notEmpty), check(notPadded), atMost(255)),
		text("title", "What people read.", required, check(notEmpty), atMost(255)),
		text("description", "What it is about.", atMost(1024), def("")),
		id(),
		number("total_projects_count", "How many projects have it.", computed),
	},
}
