package group

import (
	"hew/schema/catalogue"
	"hew/server/check"
	"hew/server/tree"
)

const maxDescription = 500

// checkGroup returns a fault about all invalid fields of a group below parent (nil: at the top
// level) that holds what is inside.
func checkGroup(g tree.Group, parent *tree.Group, inside tree.Contents) error {
	var p check.Problems
	p.On("name", check.Name(g.Name)...)
	p.On("path", check.Path(g.Path, reservedIn(parent))...)
	p.Fits("description", g.Description, maxDescription)
	if branch := g.Settings.DefaultBranch; branch != nil && *branch != "" && !catalogue.IsBranchName(*branch) {
		p.On("default_branch", "is invalid")
	}
	p.On("base", check.SettingsSize(g.Settings)...)
	refuse := func(why string) { p.On("visibility_level", g.Visibility.String()+" is not allowed since "+why) }
	if parent != nil && g.Visibility > parent.Visibility {
		refuse("the parent group has a " + parent.Visibility.String() + " visibility.")
	}
	if inside.Projects != nil && *inside.Projects > g.Visibility {
		refuse("this group contains projects with higher visibility.")
	}
	if inside.Groups != nil && *inside.Groups > g.Visibility {
		refuse("there are sub-groups with higher visibility.")
	}
	return p.Err()
}

func reservedIn(parent *tree.Group) catalogue.Reserved {
	if parent == nil {
		return catalogue.ReservedTop
	}
	return catalogue.ReservedBelow
}
