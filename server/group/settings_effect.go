package group

import (
	"context"

	"hew/server/db"
	"hew/server/setting"
	"hew/server/tree"
)

// NewGroupOfInstance is a group with the defaults of the instance.
func NewGroupOfInstance(ctx context.Context, st *db.Store, name, path string, parentID *int64) (tree.Group, error) {
	g := tree.NewGroup(name, path, parentID)
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return g, err
	}
	g.Settings.DefaultBranchProtection = settings.BranchProtection
	g.Settings.DefaultBranchProtectionDefaults = settings.BranchProtectionDefaults
	if level := settings.ProjectCreation; level >= 0 && level < len(projectCreators) {
		g.Settings.ProjectCreationLevel = projectCreators[level]
	}
	return g, nil
}

// projectCreators are the words of a group for who may create projects in it; the settings have numbers.
var projectCreators = []string{"noone", "maintainer", "developer", "administrator"}
