package provider

import (
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Data sources that list objects. Their filters look at objects and not at the host, so
// that they find declared objects that do not exist yet.

func projectsSource() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "projects",
			Doc:  "The projects of a group. Projects in the configuration are included before they exist.",
			Data: &schema.Data{
				Of: "project", Owner: "group", Names: "paths", By: "by_path", Rows: "projects",
				Recursive: "recursive", Deep: "groups/{group}/projects?include_subgroups=true&with_shared=false",
				Filters: []schema.Filter{
					searchFilter(),
					{Arg: "archived", Reads: []string{"archived"}, Match: matchesArchived},
				},
			},
		},
		Table: Join([]Attr{
			Reference("group", "group", "The group.", Required),
			Bool("recursive", "Whether to include projects of subgroups.", Default(false)),
			String("search", "Include only projects with this in their name or path, in any case."),
			Bool("archived", "Include only archived projects if true, only others if false."),
		}, listRows("paths", "by_path", "full path"), []Attr{
			Typed(cty.List(cty.Object(rowOf(project().Table, projectRow...))), "projects",
				"The projects, in the same order. What a new project does not set is known after apply.", Computed),
		}),
	}
}

// projectRow are the attributes of a project in a list.
var projectRow = []string{
	"id", "path", "name", "path_with_namespace", "name_with_namespace", "description", "visibility", "archived",
	"default_branch", "topics", "web_url", "ssh_url_to_repo", "http_url_to_repo", "created_at", "issues_enabled",
	"merge_requests_enabled", "jobs_enabled", "wiki_enabled", "snippets_enabled", "lfs_enabled",
	"request_access_enabled", "shared_runners_enabled", "merge_method", "only_allow_merge_if_pipeline_succeeds",
	"only_allow_merge_if_all_discussions_are_resolved", "ci_config_path",
}

// groupRow are the attributes of a group in a list.
var groupRow = []string{
	"id", "path", "name", "full_path", "full_name", "description", "visibility", "web_url", "created_at",
	"request_access_enabled", "lfs_enabled", "default_branch",
}

// userRow are the attributes of a user in a list.
var userRow = []string{"id", "username", "name", "email", "state", "web_url"}

// rowOf returns the type of an object in a list with some of the attributes of a table.
func rowOf(table []Attr, names ...string) map[string]cty.Type {
	row := make(map[string]cty.Type, len(names))
	for _, name := range names {
		row[name] = table[slices.IndexFunc(table, func(a Attr) bool { return a.Name == name })].Type
	}
	return row
}

func groupsSource() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "groups",
			Doc: "The subgroups of a group, or the top-level groups. Groups in the configuration are included before " +
				"they exist.",
			Data: &schema.Data{
				Of: "group", Owner: "parent", Names: "paths", By: "by_path", Rows: "groups",
				Recursive: "recursive", Deep: "groups/{parent}/descendant_groups?all_available=true",
				Top: "groups?all_available=true&top_level_only=true", TopDeep: "groups?all_available=true",
				Filters: []schema.Filter{searchFilter()},
			},
		},
		Table: Join([]Attr{
			Reference("parent", "group", "The parent group. Without it, the top-level groups."),
			Bool("recursive", "Whether to include all their subgroups.", Default(false)),
			String("search", "Include only groups with this in their name or path, in any case."),
		}, listRows("paths", "by_path", "full path"), []Attr{
			Typed(cty.List(cty.Object(rowOf(group().Table, groupRow...))), "groups",
				"The groups, in the same order. What a new group does not set is known after apply.", Computed),
		}),
	}
}

func usersSource() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "users",
			Doc: "Several users: those with the given usernames, all of which must exist, or those that a search " +
				"finds.",
			Check: ExactlyOneOf("usernames", "search"),
			Data: &schema.Data{
				Of: "user", By: "by_username", Rows: "users", Named: "usernames", Search: "search", Top: "users",
			},
		},
		Table: Join([]Attr{
			StringSet("usernames", "The usernames."),
			String("search", "The text to search for in names, usernames and e-mail addresses.", Check(NotEmpty)),
		}, listRows("", "by_username", "username"), []Attr{
			Typed(cty.List(cty.Object(rowOf(user().Table, userRow...))), "users",
				"The users, sorted by username. Only administrators see addresses that are not public.", Computed),
		}),
	}
}

func membersSource() Kind {
	return Kind{
		Kind: schema.Kind{
			Name:  "members",
			Doc:   "The members of a group or project. Members in the configuration are included before they exist.",
			Check: ExactlyOneOf("group", "project"),
			Data: &schema.Data{
				Of: "group_member", Owner: "group", Names: "usernames", By: "by_username", Recursive: "inherited",
				Deep: "groups/{group}/members/all",
				Else: &schema.Data{
					Of: "project_member", Owner: "project", Names: "usernames", By: "by_username",
					Recursive: "inherited",
					Deep:      "projects/{project}/members/all",
				},
			},
		},
		Table: Join([]Attr{
			Reference("group", "group", "The group."),
			Reference("project", "project", "The project."),
			Bool("inherited", "Whether to include members inherited from parent groups, or from groups that it is "+
				"shared with. "+
				"Members that are removed in the same run are included until the next one, as they may be members in "+
				"another way.", Default(false)),
		}, listRows("usernames", "by_username", "username")),
	}
}

func labelsSource() Kind {
	return Kind{
		Kind: schema.Kind{
			Name:  "labels",
			Doc:   "The labels of a group or project. Labels in the configuration are included before they exist.",
			Check: ExactlyOneOf("group", "project"),
			Data: &schema.Data{
				Of: "group_label", Owner: "group", Names: "names", By: "by_name", Rows: "labels",
				Recursive: "inherited",
				Deep:      "groups/{group}/labels",
				Filters:   []schema.Filter{labelFilter()},
				Else: &schema.Data{
					Of: "project_label", Owner: "project", Names: "names", By: "by_name", Rows: "labels",
					Recursive: "inherited", Deep: "projects/{project}/labels",
					Above: "group_label", Filters: []schema.Filter{labelFilter()},
				},
			},
		},
		Table: Join([]Attr{
			Reference("group", "group", "The group."),
			Reference("project", "project", "The project."),
			Bool("inherited", "Whether to include labels of parent groups.", Default(false)),
			String("search", "Include only labels with this in their name, in any case."),
		}, listRows("names", "by_name", "name"), []Attr{
			Typed(cty.List(cty.Object(labelRow())), "labels",
				"The labels, in the same order, with colors as six lowercase digits.", Computed),
		}),
	}
}

// labelRow is the type of a label in a list.
func labelRow() map[string]cty.Type {
	return map[string]cty.Type{
		"id": cty.Number, "name": cty.String, "color": cty.String, "text_color": cty.String,
		"description": cty.String, "priority": cty.Number, "is_project_label": cty.Bool,
	}
}

func labelFilter() schema.Filter {
	return schema.Filter{Arg: "search", Reads: []string{"name"}, Match: matchesSearch}
}

// listRows returns the computed attributes of a list. names is "" for a list whose
// names are an argument.
func listRows(names, by, name string) []Attr {
	rows := []Attr{
		Typed(cty.List(cty.Number), "ids", "The ids, in the order of the "+name+"s.", Computed),
		Typed(cty.Map(cty.Number), by, "The id of each "+name+".", Computed),
	}
	if names != "" {
		rows = append(rows, Typed(cty.List(cty.String), names, "The "+name+"s, sorted.", Computed))
	}
	return rows
}

func searchFilter() schema.Filter {
	return schema.Filter{Arg: "search", Reads: []string{"name", "path"}, Match: matchesSearch}
}

func matchesSearch(o schema.Object, arg cty.Value) bool {
	arg, _ = arg.Unmark()
	part := foldCase(arg.AsString())
	return strings.Contains(foldCase(stringOf(o, "name")), part) ||
		strings.Contains(foldCase(stringOf(o, "path")), part)
}

func matchesArchived(o schema.Object, arg cty.Value) bool {
	arg, _ = arg.Unmark()
	is, _ := o.Get("archived").Unmark()
	return nullIsFalse(is).RawEquals(arg)
}

// ExactlyOneOf returns the Check of a kind that requires one of two arguments.
func ExactlyOneOf(one, other string) func(schema.Object) []schema.Problem {
	return func(o schema.Object) []schema.Problem {
		if schema.Stated(o, one) != schema.Stated(o, other) {
			return nil
		}
		return []schema.Problem{{Attr: other, Text: "exactly one of " + one + " and " + other + " must be set"}}
	}
}

// AtMostOneOf returns the Check of a kind that takes one of two arguments, or neither.
func AtMostOneOf(one, other string) func(schema.Object) []schema.Problem {
	return func(o schema.Object) []schema.Problem {
		if !schema.Stated(o, one) || !schema.Stated(o, other) {
			return nil
		}
		return []schema.Problem{{Attr: other, Text: "at most one of " + one + " and " + other + " can be set"}}
	}
}
