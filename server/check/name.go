package check

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// What may be called how (gaps §2.1, §3.2). The lengths are held by the database too.
var (
	pathForm = regexp.MustCompile(`^[a-zA-Z0-9_][a-zA-Z0-9_.-]*$`)
	nameForm = regexp.MustCompile(`^[\p{L}\p{N}_\x{00A9}-\x{1F9FF}][\p{L}\p{M}\p{N}\p{Pd}_+.() \x{00A9}-\x{1F9FF}]*$`)
)

const (
	usernameText = "can contain only letters, digits, '_', '-' and '.'. It must not start with '-' or end in '.', '.git' or '.atom'."

	pathText = "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'."
	nameText = "can contain only letters, digits, emoji, '_', '.', '+', dashes, or spaces. It must start with letter, digit, emoji, or '_'."
	Blank    = "can't be blank"
	TooLong  = "is too long (maximum is 255 characters)"
)

// ReservedTop are the first segments of paths that belong to the service itself: no user and no top-level group has one.
var ReservedTop = strings.Fields(`
	- .well-known 404.html 422.html 500.html 502.html 503.html admin api apple-touch-icon.png assets dashboard deploy.html
	explore favicon.ico favicon.png files groups health_check help import jwt login oauth profile projects public robots.txt
	s search sitemap sitemap.xml sitemap.xml.gz slash-command-logo.png snippets unsubscribes uploads users v2`)

// ReservedBelow are the later segments that are pages of a project: no subgroup and no project has one.
var ReservedBelow = strings.Fields(`
	- badges blame blob builds commits create create_dir edit files find_file new preview raw refs tree update wikis`)

// CheckPath says what is wrong with the path of a group or project, if anything. Reserved are the words that mean
// something else where it stands: ReservedTop or ReservedBelow.
func CheckPath(path string, reserved []string) (wrong []string) {
	lower := strings.ToLower(path)
	switch {
	case path == "":
		return []string{Blank}
	case len([]rune(path)) > 255:
		return []string{TooLong}
	case slices.Contains(reserved, lower):
		return []string{path + " is a reserved name"}
	case !pathForm.MatchString(path), strings.HasSuffix(path, "."), strings.HasSuffix(lower, ".git"), strings.HasSuffix(lower, ".atom"):
		return []string{pathText}
	}
	return nil
}

// CheckUsername is CheckPath for a user, whose name is a path at the top.
func CheckUsername(name string) (wrong []string) {
	wrong = CheckPath(name, ReservedTop)
	if slices.Equal(wrong, []string{pathText}) {
		return []string{usernameText}
	}
	return wrong
}

// CheckName says what is wrong with the name of a group or project, if anything.
func CheckName(name string) (wrong []string) {
	switch {
	case strings.TrimSpace(name) == "":
		return []string{Blank}
	case len([]rune(name)) > 255:
		return []string{TooLong}
	case !nameForm.MatchString(name):
		return []string{nameText}
	}
	return nil
}

// maxSettings is how much there may be of the settings of a group or project, in bytes of JSON. The public service says
// nothing about it, but a list reads a hundred of them at once.
const maxSettings = 64 << 10

// CheckSize says whether the settings, all together, are too much.
func CheckSize(settings ...any) (wrong []string) {
	text, err := json.Marshal(settings)
	if err != nil || len(text) > maxSettings {
		return []string{fmt.Sprintf("has settings that are too long (maximum is %d bytes in all)", maxSettings)}
	}
	return nil
}
