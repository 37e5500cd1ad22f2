package load

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"hew/server/fault"
	"hew/server/project"
	"hew/server/tree"
)

// projectAttributes are the overrides that are no settings.
var projectAttributes = []string{
	"description", "visibility", "visibility_level", "topics", "tag_list", "archived", "default_branch",
}

// unknown returns the names, in order, that no import sets.
func (a attributes) unknown() (names []string) {
	settings := reflect.TypeFor[tree.ProjectSettings]()
	known := map[string]bool{}
	for i := range settings.NumField() {
		name := settings.Field(i).Tag.Get("json")
		known[name] = !kept[name]
	}
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if !known[name] && features[name] == "" && !slices.Contains(projectAttributes, name) {
			names = append(names, name)
		}
	}
	return names
}

// resetInvalid gives attributes of a project that break a rule their former values, and returns
// what is wrong with each.
func resetInvalid(p *tree.Project, was tree.Project) (wrong []string) {
	f, ok := fault.From(project.CheckSettings(*p))
	if !ok {
		return nil
	}
	for _, field := range slices.Sorted(maps.Keys(f.Fields)) {
		wrong = append(wrong, field+": "+strings.Join(f.Fields[field], ", "))
		resetAttribute(p, was, field)
	}
	if project.CheckSettings(*p) != nil {
		p.Settings, p.Description, p.Topics = was.Settings, was.Description, was.Topics
	}
	return wrong
}

// resetAttribute gives the attribute of a field of a fault its former value: all of them, if the
// fault is one of the project.
func resetAttribute(p *tree.Project, was tree.Project, field string) {
	switch field {
	case "description":
		p.Description = was.Description
	case "topics":
		p.Topics = was.Topics
	case "base":
		p.Settings, p.Topics = was.Settings, was.Topics
	case "ci_cd_settings.default_git_depth":
		field = "ci_default_git_depth"
	}
	to, from := reflect.ValueOf(&p.Settings).Elem(), reflect.ValueOf(was.Settings)
	for i := range to.NumField() {
		if to.Type().Field(i).Tag.Get("json") == field {
			to.Field(i).Set(from.Field(i))
		}
	}
}
