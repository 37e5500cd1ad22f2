package api

import (
	"context"
	"fmt"
	"slices"

	"hew/server/fault"
	"hew/server/policy"
	"hew/server/project"
	projectapi "hew/server/project/api"
	"hew/server/scope"
	"hew/server/setting"
	"hew/server/tree"
)

// CheckSource returns a fault unless the settings allow imports of a type.
func CheckSource(ctx context.Context, s scope.Signed, kind string) (setting.Settings, error) {
	settings, err := setting.Read(ctx, s.Store)
	if err == nil && !slices.Contains(settings.ImportSources, kind) {
		text := "Importing from " + kind + " is disabled; an administrator can add it to import_sources"
		err = fault.Forbidden(text).In(fault.ServiceList)
	}
	return settings, err
}

// The refusals of namespaces.
func noSpace() error {
	return fault.Unprocessable("Namespace or group to import repository into does not exist.").In(fault.Service)
}

func notAllowedIn() error {
	return fault.Unprocessable("You are not allowed to import projects in this namespace.").In(fault.Service)
}

// findSpace returns the namespace with a path in which the caller may import projects: a group that
// the caller maintains and may create projects in, or the caller's own. Nobody imports into the
// namespace of a bot.
func findSpace(ctx context.Context, s scope.Signed, path string) (tree.Group, error) {
	space, err := tree.SpaceFor(ctx, s.Store, path, s.Caller.ID())
	if fault.CodeOf(err) == fault.CodeNotFound {
		return tree.Group{}, noSpace()
	}
	if err != nil {
		return tree.Group{}, err
	}
	in := scope.InGroup{Anyone: s.Anyone, Group: space}
	switch {
	case space.Kind != "group":
		return ownSpace(s, space.Group)
	case !in.Can(policy.ReadGroup):
		return tree.Group{}, noSpace()
	case !in.Can(importFromForge), !in.Can(projectapi.CreateProject), s.Caller.User.External:
		return tree.Group{}, notAllowedIn()
	}
	return space.Group, nil
}

// ownSpace returns a personal namespace if it is that of the caller.
func ownSpace(s scope.Signed, space tree.Group) (tree.Group, error) {
	user := s.Caller.User
	if space.ID != user.NamespaceID || user.Bot || user.External {
		return tree.Group{}, notAllowedIn()
	}
	return space, nil
}

// lockSpace is findSpace in the transaction that creates the project: the caller may have another
// project there.
func lockSpace(ctx context.Context, s scope.Signed, path string) (tree.Group, error) {
	space, err := findSpace(ctx, s, path)
	if err != nil || space.Kind == "group" {
		return space, err
	}
	user, err := tree.FindUser(ctx, s.Store, s.Caller.ID())
	if err != nil {
		return space, err
	}
	n, err := project.CountProjects(ctx, s.Store, space.ID)
	if err == nil && n >= user.ProjectsLimit {
		err = fault.Unprocessable(fmt.Sprintf("Your project limit is %d projects! Please contact your administrator to "+
			"increase it", user.ProjectsLimit)).In(fault.Service)
	}
	return space, err
}
