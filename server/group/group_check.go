package group

import (
	"maps"
	"slices"
	"strings"

	"hew/schema/catalogue"
	"hew/server/check"
	"hew/server/fault"
	"hew/server/tree"
)

const maxDescription = 500

// checkGroup says what is wrong with a group in its place (nil: the top) and with its contents, if anything.
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

func reservedIn(parent *tree.Group) []string {
	if parent == nil {
		return check.ReservedTop
	}
	return check.ReservedBelow
}

// unmovable says why a group cannot be put below parent (nil: at the top), in the words of the public service; empty if
// it can.
func unmovable(g tree.Group, parent *tree.Group) string {
	switch {
	case parent == nil && g.ParentID == nil:
		return "Group is already a root group."
	case parent == nil:
	case g.ParentID != nil && *g.ParentID == parent.ID:
		return "Group is already associated to the parent group."
	case slices.Contains(parent.TraversalIDs, g.ID):
		return "Cannot transfer group to one of its subgroup."
	case g.Visibility > parent.Visibility:
		return "Visibility level " + g.Visibility.String() +
			" is not allowed since the parent group has a " + parent.Visibility.String() + " visibility."
	}
	if wrong := check.Path(g.Path, reservedIn(parent)); wrong != nil {
		return "Path " + wrong[0] + "."
	}
	return ""
}

func untransferred(text string) *fault.Error {
	return fault.BadRequest("Transfer failed: " + text).In(fault.Text)
}

// whyUntransferred turns what the store found wrong with a field into the sentence of a failed transfer.
func whyUntransferred(err error) error {
	f, ok := fault.From(err)
	if !ok || f.Fields == nil {
		return err
	}
	if f.Fields["path"] != nil {
		return untransferred("The parent group already has a subgroup or a project with the same path.").Because(err)
	}
	var texts []string
	for _, field := range slices.Sorted(maps.Keys(f.Fields)) {
		texts = append(texts, strings.ToUpper(field[:1])+field[1:]+" "+strings.Join(f.Fields[field], ", "))
	}
	return untransferred(strings.Join(texts, ". ") + ".").Because(err)
}
