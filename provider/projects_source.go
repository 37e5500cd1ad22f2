package provider

import (
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// projectsSource lists the projects of a group. The filters look at objects and
// not at the host, so that projects declared but not yet there are found too.
var projectsSource = kind{
	Kind: schema.Kind{
		Name: "projects",
		Doc:  "The projects of a group. Those that the configuration declares count before they exist.",
		Data: &schema.Data{
			Of: "project", Owner: "group", By: "by_path",
			Recursive: "recursive", Deep: "groups/{group}/projects?include_subgroups=true&with_shared=false",
			Filters: []schema.Filter{
				{Arg: "search", Reads: []string{"name", "path"}, Match: searched},
				{Arg: "archived", Reads: []string{"archived"}, Match: isArchived},
			},
		},
	},
	Table: []attr{
		ref("group", "group", "The group.", required),
		boolean("recursive", "Projects of its subgroups count too.", def(false)),
		text("search", "A part of the name or path that the projects must have; upper and lower case are one."),
		boolean("archived", "Only archived projects, or only others. Without it both."),
		typed(cty.List(cty.Number), "ids", "The ids, in the order of paths.", computed),
		typed(cty.List(cty.String), "paths", "The full paths, sorted.", computed),
		typed(cty.Map(cty.Number), "by_path", "The id of each full path.", computed),
	},
}

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
