package provider

import "hew/schema"

// topic is a word under which projects are found. Projects create the topics that they
// name; administrators describe them.
func topic() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "topic",
			Doc: "A topic of projects, with its title and description. It is identified by its name. " +
				"A topic that projects have created is adopted. Removing the block removes the topic from all " +
				"projects.",
			Collection: "topics",
			Match:      schema.ByKey("name"),
			Unique:     []schema.Unique{{Attrs: []string{"name"}, FoldCase: true}},
			Need:       theInstance.need,
		},
		Table: []Attr{
			String("name", "The name of the topic.", Required, CaseInsensitive, Check(NotEmpty), Check(checkNotPadded),
				MaxLength(255)),
			String("title", "The display name.", Required, Check(NotEmpty), MaxLength(255)),
			String("description", "A description of the topic.", MaxLength(1024), Default("")),
			ID(),
			Number("total_projects_count", "The number of projects with the topic.", Computed),
		},
	}
}
