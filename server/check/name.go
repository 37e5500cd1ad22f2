// Package check holds rules for values that several domains share: paths, names, e-mail addresses,
// regular expressions. The messages are those of the public API.
package check

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hew/schema/catalogue"
)

// Messages of the public API.
const (
	Blank   = "can't be blank"
	TooLong = "is too long (maximum is 255 characters)"

	badUsername = "can contain only letters, digits, '_', '-' and '.'. " +
		"It must not start with '-' or end in '.', '.git' or '.atom'."

	badPath = "can contain only letters, digits, '_', '-' and '.'. " +
		"Cannot start with '-' or end in '.', '.git' or '.atom'."
	badName = "can contain only letters, digits, emoji, '_', '.', '+', dashes, or spaces. " +
		"It must start with letter, digit, emoji, or '_'."
)

// Path returns what is wrong with the path of a group or project, or nil. Pass
// catalogue.ReservedTop for a top-level group, else catalogue.ReservedBelow.
func Path(path string, reserved catalogue.Reserved) (wrong []string) {
	switch {
	case path == "":
		return []string{Blank}
	case len([]rune(path)) > 255:
		return []string{TooLong}
	case reserved.Has(path):
		return []string{path + " is a reserved name"}
	case !catalogue.IsPathSegment(path):
		return []string{badPath}
	}
	return nil
}

// Username returns what is wrong with the name of a user, or nil. A user name is a top-level
// path.
func Username(name string) (wrong []string) {
	wrong = Path(name, catalogue.ReservedTop)
	if slices.Equal(wrong, []string{badPath}) {
		return []string{badUsername}
	}
	return wrong
}

// Name returns what is wrong with the name of a group or project, or nil.
func Name(name string) (wrong []string) {
	switch {
	case strings.TrimSpace(name) == "":
		return []string{Blank}
	case len([]rune(name)) > 255:
		return []string{TooLong}
	case !catalogue.IsDisplayName(name):
		return []string{badName}
	}
	return nil
}

// maxSettings limits the settings of a group or project, in bytes of JSON. The public API documents
// no limit, but a list reads a hundred of them at once.
const maxSettings = 64 << 10

// SettingsSize returns that the settings, taken together, are too long, or nil.
func SettingsSize(settings ...any) (wrong []string) {
	text, err := json.Marshal(settings)
	if err != nil || len(text) > maxSettings {
		return []string{fmt.Sprintf("has settings that are too long (maximum is %d bytes in all)", maxSettings)}
	}
	return nil
}
