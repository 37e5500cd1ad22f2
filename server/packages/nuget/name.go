package nuget

import (
	"strings"

	"hew/schema/pattern"
)

var nameCharacters = pattern.Lazy(`^[-+._a-zA-Z0-9]+$`)

// ValidName reports whether a package may have this name: 1 to 255 letters, digits and "-+._" in
// ASCII. Names of dots alone are not valid: URLs cannot contain them.
func ValidName(name string) bool {
	return len(name) <= maxText && nameCharacters().MatchString(name) && strings.Trim(name, ".") != ""
}

// FoldName returns the form of a name that lookups and URLs use: packages whose names differ only
// in case are the same.
func FoldName(name string) string { return strings.ToLower(name) }
