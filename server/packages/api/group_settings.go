package api

import (
	"context"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/packages"
	"hew/server/rest"
	"hew/server/scope"
)

// groupSettings serves how the projects of a group keep packages. The public service has no route
// for it (gaps §16.1).
type groupSettings struct{}

func (a groupSettings) routes() []rest.Route {
	const path = "/groups/{id}/package_settings"
	admin := scope.ForGroup(adminGroupPackages)
	return []rest.Route{
		rest.Get(path, scope.ForGroup(readGroupSettings), a.show),
		rest.Put(path, admin, a.update),
		rest.Delete(path, admin, a.delete),
	}
}

func settingsViewOf(s packages.Settings) *packages.Choices { return &s.Choices }

type settingsShow struct {
	Above bool `param:"include_ancestor_groups" default:"true"`
}

// show answers what is in effect, or with include_ancestor_groups=false what the group has itself,
// which is null if it has none.
func (groupSettings) show(ctx context.Context, s scope.InGroup, in settingsShow) (*packages.Choices, error) {
	if in.Above {
		return rest.Show(settingsViewOf)(packages.GroupSettings(ctx, s.Store, s.Group.Group))
	}
	own, err := packages.OwnSettings(s.Store, s.Group.Group).One(ctx, db.AnyRow)
	if fault.CodeOf(err) == fault.CodeNotFound {
		return nil, nil
	}
	return rest.Show(settingsViewOf)(own, err)
}

type settingsUpdate struct {
	NugetDuplicates   rest.Opt[bool]   `param:"nuget_duplicates_allowed"`
	NugetException    rest.Opt[string] `param:"nuget_duplicate_exception_regex"`
	GenericDuplicates rest.Opt[bool]   `param:"generic_duplicates_allowed"`
	GenericException  rest.Opt[string] `param:"generic_duplicate_exception_regex"`
	SymbolServer      rest.Opt[bool]   `param:"nuget_symbol_server_enabled"`
}

func (groupSettings) update(ctx context.Context, s scope.InGroup, in settingsUpdate) (*packages.Choices, error) {
	return rest.Show(settingsViewOf)(packages.ChangeSettings(ctx, s.Store, s.Group.Group, func(c *packages.Choices) {
		c.NugetDuplicates = in.NugetDuplicates.Or(c.NugetDuplicates)
		c.NugetException = in.NugetException.Or(c.NugetException)
		c.GenericDuplicates = in.GenericDuplicates.Or(c.GenericDuplicates)
		c.GenericException = in.GenericException.Or(c.GenericException)
		c.SymbolServer = in.SymbolServer.Or(c.SymbolServer)
	}))
}

// delete makes the group inherit the settings of the groups above again.
func (groupSettings) delete(ctx context.Context, s scope.InGroup, _ rest.None) (rest.None, error) {
	return rest.None{}, packages.OwnSettings(s.Store, s.Group.Group).Delete(ctx, db.AnyRow, rest.Unmodified)
}
