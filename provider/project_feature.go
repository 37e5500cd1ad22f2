package provider

import "strings"

// The access levels of features. Some features also take "public", which includes
// people who cannot see the project.
var (
	insiders = []string{"disabled", "private", "enabled"}
	everyone = []string{"disabled", "private", "enabled", "public"}
	openTo   = map[string]string{
		"disabled": "nobody", "private": "members", "enabled": "everyone with access", "public": "everyone",
	}
)

// features returns the rows of attributes like issues_access_level, in the order of
// their names.
func features(values []string, of map[string]string, o ...Option) []Attr {
	var told []string
	for _, v := range values {
		told = append(told, v+" ("+openTo[v]+")")
	}
	last := len(told) - 1
	choice := strings.Join(told[:last], ", ") + " or " + told[last]
	var rows []Attr
	for _, name := range keys(of) {
		rows = append(rows, String(name+"_access_level", "The access level of "+of[name]+": "+choice+".",
			prepend(o, OneOf(values...), opensFeature)...))
	}
	return rows
}

// switches returns the rows of attributes like issues_enabled, the older form of
// features. They have no default, as it would override the access level.
func switches(of map[string]string) []Attr {
	var rows []Attr
	for _, name := range keys(of) {
		level := name
		if name == "jobs" {
			level = "builds"
		}
		rows = append(rows, Bool(name+"_enabled", "Whether "+of[name]+" on. Deprecated: use "+level+"_access_level.",
			SupersededBy(level+"_access_level"), Opens(ofExisting(becomes(true)))))
	}
	return rows
}
