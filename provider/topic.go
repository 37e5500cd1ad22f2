package provider

import "hew/schema"

// topic is a word that projects are found by. Projects make those that they name;
// what is said of one is the administrators' to say.
var topic = Kind{
	Kind: schema.Kind{
		Name: "topic",
		Doc: "A topic of projects, with its title and description. It is recognised by its name, by which the projects have it; " +
			"one that projects have made already is adopted. With its block it goes from all of them.",
		Collection: "topics",
		Match:      schema.ByKey("name"),
		Need:       theInstance.need,
	},
	Table: []Attr{
		String("name", "What projects call it.", Required, CaseInsensitive, Check(NotEmpty), Check(notPadded), MaxLength(255)),
		String("title", "What people read.", Required, Check(NotEmpty), MaxLength(255)),
		String("description", "What it is about.", MaxLength(1024), Default("")),
		ID(),
		Number("total_projects_count", "How many projects have it.", Computed),
	},
}
