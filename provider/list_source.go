package provider

import (
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Sources over lists. Their filters look at objects and not at the host, so that
// what is declared and not yet there is found too.

var projectsSource = Kind{
	Kind: schema.Kind{
		Name: "projects",
		Doc:  "The projects of a group. Those that the configuration declares count before they exist.",
		Data: &schema.Data{
			Of: "project", Owner: "group", Names: "paths", By: "by_path",
			Recursive: "recursive", Deep: "groups/{group}/projects?include_subgroups=true&with_shared=false",
			Filters: []schema.Filter{
				searchFilter,
				{Arg: "archived", Reads: []string{"archived"}, Match: isArchived},
			},
		},
	},
	Table: Join([]Attr{
		Reference("group", "group", "The group.", Required),
		Bool("recursive", "Projects of its subgroups count too.", Default(false)),
		String("search", "A part of the name or path that the projects must have; upper and lower case are one."),
		Bool("archived", "Only archived projects, or only others. Without it both."),
	}, listed("paths", "by_path", "full path")),
}

var groupsSource = Kind{
	Kind: schema.Kind{
		Name: "groups",
		Doc:  "The subgroups of a group, or the groups at the top. Those that the configuration declares count before they exist.",
		Data: &schema.Data{
			Of: "group", Owner: "parent", Names: "paths", By: "by_path",
			Recursive: "recursive", Deep: "groups/{parent}/descendant_groups?all_available=true",
			Top: "groups?all_available=true&top_level_only=true", TopDeep: "groups?all_available=true",
			Filters: []schema.Filter{searchFilter},
		},
	},
	Table: Join([]Attr{
		Reference("parent", "group", "The group that they are in; without it they are those at the top."),
		Bool("recursive", "What is in those groups counts too.", Default(false)),
		String("search", "A part of the name or path that the groups must have; upper and lower case are one."),
	}, listed("paths", "by_path", "full path")),
}

var usersSource = Kind{
	Kind: schema.Kind{
		Name:  "users",
		Doc:   "Several users: those of the given names, all of whom must be there, or those that a search finds.",
		Check: ExactlyOneOf("usernames", "search"),
		Data:  &schema.Data{Of: "user", By: "by_username", Named: "usernames", Search: "search", Top: "users"},
	},
	Table: Join([]Attr{
		StringSet("usernames", "The names that the users sign in with."),
		String("search", "What to search for in names, user names and e-mail addresses.", Check(NotEmpty)),
	}, listed("", "by_username", "user name")),
}

var membersSource = Kind{
	Kind: schema.Kind{
		Name:  "members",
		Doc:   "The members of a group or project. Those that the configuration declares count before they exist.",
		Check: ExactlyOneOf("group", "project"),
		Data: &schema.Data{
			Of: "group_member", Owner: "group", Names: "usernames", By: "by_username", Recursive: "inherited", Deep: "groups/{group}/members/all",
			Else: &schema.Data{
				Of: "project_member", Owner: "project", Names: "usernames", By: "by_username", Recursive: "inherited", Deep: "projects/{project}/members/all",
			},
		},
	},
	Table: Join([]Attr{
		Reference("group", "group", "The group."),
		Reference("project", "project", "The project."),
		Bool("inherited", "Members that it has from above, or from groups that it is shared with, count too. "+
			"Who is removed in this very run counts until the next one: the host does not say by what else somebody is a member.", Default(false)),
	}, listed("usernames", "by_username", "user name")),
}

var labelsSource = Kind{
	Kind: schema.Kind{
		Name:  "labels",
		Doc:   "The labels of a group or project. Those that the configuration declares count before they exist.",
		Check: ExactlyOneOf("group", "project"),
		Data: &schema.Data{
			Of: "group_label", Owner: "group", Names: "names", By: "by_name", Rows: "labels", Recursive: "inherited", Deep: "groups/{group}/labels",
			Filters: []schema.Filter{labelFilter},
			Else: &schema.Data{
				Of: "project_label", Owner: "project", Names: "names", By: "by_name", Rows: "labels", Recursive: "inherited", Deep: "projects/{project}/labels",
				Above: "group_label", Filters: []schema.Filter{labelFilter},
			},
		},
	},
	Table: Join([]Attr{
		Reference("group", "group", "The group."),
		Reference("project", "project", "The project."),
		Bool("inherited", "Labels of the groups above count too.", Default(false)),
		String("search", "A part of the name that the labels must have; upper and lower case are one."),
	}, listed("names", "by_name", "name"), []Attr{
		Typed(cty.List(cty.Object(labelRow)), "labels", "The labels, in the same order, their colors as six digits in lower case.", Computed),
	}),
}

// labelRow is a label in a list.
var labelRow = map[string]cty.Type{
	"id": cty.Number, "name": cty.String, "color": cty.String, "text_color": cty.String,
	"description": cty.String, "priority": cty.Number, "is_project_label": cty.Bool,
}

var labelFilter = schema.Filter{Arg: "search", Reads: []string{"name"}, Match: searched}

// listed are the attributes that a list answers with; names is "" for one whose
// names are an argument.
func listed(names, by, name string) []Attr {
	rows := []Attr{
		Typed(cty.List(cty.Number), "ids", "The ids, in the order of the "+name+"s.", Computed),
		Typed(cty.Map(cty.Number), by, "The id of each "+name+".", Computed),
	}
	if names != "" {
		rows = append(rows, Typed(cty.List(cty.String), names, "Each "+name+", sorted.", Computed))
	}
	return rows
}

var searchFilter = schema.Filter{Arg: "search", Reads: []string{"name", "path"}, Match: searched}

func searched(o schema.Object, arg cty.Value) bool {
	arg, _ = arg.Unmark()
	part := fold(arg.AsString())
	return strings.Contains(fold(said(o, "name")), part) || strings.Contains(fold(said(o, "path")), part)
}

func isArchived(o schema.Object, arg cty.Value) bool {
	arg, _ = arg.Unmark()
	is, _ := o.Get("archived").Unmark()
	return nullIsFalse(is).RawEquals(arg)
}

// ExactlyOneOf is the check of a kind that takes one of two arguments.
func ExactlyOneOf(one, other string) func(schema.Object) []schema.Problem {
	return func(o schema.Object) []schema.Problem {
		if schema.Stated(o, one) != schema.Stated(o, other) {
			return nil
		}
		return []schema.Problem{{Attr: other, Text: "it takes " + one + " or " + other + ", one of the two"}}
	}
}

// AtMostOneOf is the check of a kind that takes one of two arguments, or neither.
func AtMostOneOf(one, other string) func(schema.Object) []schema.Problem {
	return func(o schema.Object) []schema.Problem {
		if !schema.Stated(o, one) || !schema.Stated(o, other) {
			return nil
		}
		return []schema.Problem{{Attr: other, Text: "it takes " + one + " or " + other + ", not both"}}
	}
}
