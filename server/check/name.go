// Package check holds rules for values that several domains share: paths, names, e-mail addresses,
// regular expressions. The messages are those of the public API.
package check

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// EmailPattern matches e-mail addresses as loosely as the public API does.
var EmailPattern = regexp.MustCompile(`^[^@\s]+@[^@\s]+$`)

var (
	pathPattern = regexp.MustCompile(`^[a-zA-Z0-9_][a-zA-Z0-9_.-]*$`)
	namePattern = regexp.MustCompile(`^[\p{L}\p{N}_\x{00A9}-\x{1F9FF}]` +
		`[\p{L}\p{M}\p{N}\p{Pd}_+.() \x{00A9}-\x{1F9FF}]*$`)
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

// ReservedTop lists the first path segments that belong to the service. No user and no top-level
// group can have one.
var ReservedTop = strings.Fields(`
	- .well-known 404.html 422.html 500.html 502.html 503.html admin api apple-touch-icon.png assets dashboard
	deploy.html explore favicon.ico favicon.png files groups health_check help import jwt login oauth profile projects public
	robots.txt s search sitemap sitemap.xml sitemap.xml.gz slash-command-logo.png snippets unsubscribes uploads users v2`)

// ReservedBelow lists the later path segments that belong to a project. No subgroup and no project
// can have one.
var ReservedBelow = strings.Fields(`
	- badges blame blob builds commits create create_dir edit files find_file new preview raw refs tree update wikis`)

// Path returns what is wrong with the path of a group or project, or nil. Pass ReservedTop for
// a top-level group, else ReservedBelow.
func Path(path string, reserved []string) (wrong []string) {
	lower := strings.ToLower(path)
	switch {
	case path == "":
		return []string{Blank}
	case len([]rune(path)) > 255:
		return []string{TooLong}
	case slices.Contains(reserved, lower):
		return []string{path + " is a reserved name"}
	case !pathPattern.MatchString(path), strings.HasSuffix(path, "."),
		strings.HasSuffix(lower, ".git"), strings.HasSuffix(lower, ".atom"):
		return []string{badPath}
	}
	return nil
}

// Username returns what is wrong with the name of a user, or nil. A user name is a top-level
// path.
func Username(name string) (wrong []string) {
	wrong = Path(name, ReservedTop)
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
	case !namePattern.MatchString(name):
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
