package api

import (
	"context"

	"hew/server/auth"
	"hew/server/db"
	"hew/server/group"
	"hew/server/rest"
	"hew/server/scope"
)

// groupFilters are the filters that all lists of groups have.
type groupFilters struct {
	SkipGroups           []int64           `param:"skip_groups,comma"`
	AllAvailable         *bool             `param:"all_available"`
	Search               string            `param:"search"`
	Sort                 string            `param:"sort" default:"asc" oneof:"asc desc"`
	Statistics           bool              `param:"statistics"`
	Visibility           string            `param:"visibility" oneof:"private internal public"`
	WithCustomAttributes bool              `param:"with_custom_attributes"`
	CustomAttributes     map[string]string `param:"custom_attributes"`
	Owned                bool              `param:"owned"`
	MinAccessLevel       int               `param:"min_access_level" oneof:"5 10 15 20 30 40 50"`
}

// filter returns what the caller may filter by. It ignores administrators' parameters of others.
func (in groupFilters) filter(c auth.Caller) group.GroupFilter {
	f := group.GroupFilter{
		UserID: c.ID(), MinLevel: in.MinAccessLevel, Owned: in.Owned, Skip: in.SkipGroups, Search: in.Search,
	}
	all := c.Admin() || !c.Signed()
	if in.AllAvailable != nil && c.Signed() {
		all = *in.AllAvailable
	}
	if all {
		open := scope.OpenTo(c)
		f.Open = &open
	}
	if in.Visibility != "" {
		v := db.ParseVisibility(in.Visibility)
		f.Visibility = &v
	}
	if c.Admin() {
		f.Statistics, f.Attributes = in.Statistics, in.CustomAttributes
	}
	return f
}

// visible is filter for lists that show all groups that the caller may see, not only the caller's
// own.
func (in groupFilters) visible(c auth.Caller) group.GroupFilter {
	f := in.filter(c)
	if in.AllAvailable == nil {
		open := scope.OpenTo(c)
		f.Open = &open
	}
	return f
}

// order returns the order of a page. Similarity is for searches only, best match first.
func (in groupFilters) order(by string) (order string, desc bool) {
	switch {
	case by != "similarity":
		return by, in.Sort == "desc"
	case in.Search == "":
		return "name", in.Sort == "desc"
	}
	return by, false
}

type groupList struct {
	rest.Keyset `of:"Group"`
	groupFilters
	OrderBy           string       `param:"order_by" default:"name" oneof:"name path id similarity"`
	TopLevelOnly      bool         `param:"top_level_only"`
	RepositoryStorage string       `param:"repository_storage"`
	Cursor            scope.Cursor `param:"cursor"`
}

func (a groups) list(ctx context.Context, s scope.Anyone, in groupList) (rest.List[groupView], error) {
	f := in.filter(s.Caller)
	f.TopLevel = in.TopLevelOnly
	if s.Caller.Admin() {
		f.Storage = in.RepositoryStorage
	}
	page := db.Page{Limit: in.Limit(), Offset: in.Offset(), ByKey: in.ByKey()}
	page.Order, page.Desc = in.order(in.OrderBy)
	if page.ByKey {
		if page.Order != "name" || page.Desc {
			return rest.List[groupView]{}, rest.NoKeyset()
		}
		var err error
		if page.After, err = in.Cursor.Position(); err != nil {
			return rest.List[groupView]{}, err
		}
	}
	groups, total, err := group.Groups(ctx, s.Store, f, page)
	list, err := rest.Pages(groupsView(a.Site, s.Caller, in.groupFilters))(groups, total, err)
	if err != nil {
		return list, err
	}
	list.Next = rest.After(in.Keyset, groups, func(g group.ListedGroup) map[string]string {
		return scope.Next(db.Position{Name: g.Name, ID: g.ID})
	})
	return list, nil
}

type groupListBelow struct {
	rest.Paging
	groupFilters
	OrderBy string `param:"order_by" default:"name" oneof:"name path id similarity"`
}

func (a groups) listSubgroups(ctx context.Context, g scope.InGroup, in groupListBelow) (rest.List[groupView], error) {
	f := in.filter(g.Caller)
	f.Parent = g.Group.ID
	return a.listBelow(ctx, g, in, f)
}

func (a groups) listDescendants(ctx context.Context, g scope.InGroup, in groupListBelow) (rest.List[groupView], error) {
	f := in.filter(g.Caller)
	f.Root = g.Group.ID
	return a.listBelow(ctx, g, in, f)
}

func (a groups) listBelow(
	ctx context.Context, g scope.InGroup, in groupListBelow, f group.GroupFilter,
) (rest.List[groupView], error) {
	page := scope.PageOf(in.Paging)
	page.Order, page.Desc = in.order(in.OrderBy)
	return rest.Pages(groupsView(a.Site, g.Caller, in.groupFilters))(group.Groups(ctx, g.Store, f, page))
}
