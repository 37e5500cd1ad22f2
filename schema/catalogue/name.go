package catalogue

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hew/schema/pattern"
)

// The names of users, groups and projects, which are parts of paths.

var (
	segmentForm = pattern.Lazy(`^[a-zA-Z0-9_][a-zA-Z0-9_.-]*$`)
	nameForm    = pattern.Lazy(`^[\p{L}\p{N}_\x{00A9}-\x{1F9FF}][\p{L}\p{M}\p{N}\p{Pd}_+.() \x{00A9}-\x{1F9FF}]*$`)
	emailForm   = pattern.Lazy(`^[^@\s]+@[^@\s]+$`)
)

// maxName is how many characters a path segment or a display name may have.
const maxName = 255

// Reserved lists path segments that belong to the service, in lower case.
type Reserved []string

// ReservedTop lists the first segments, which no user and no top-level group can have.
var ReservedTop = Reserved(strings.Fields(`
	- .well-known 404.html 422.html 500.html 502.html 503.html admin api apple-touch-icon.png assets dashboard
	deploy.html explore favicon.ico favicon.png files groups health_check help import jwt login oauth profile projects public
	robots.txt s search sitemap sitemap.xml sitemap.xml.gz slash-command-logo.png snippets unsubscribes uploads users v2`))

// ReservedBelow lists the later segments, which no subgroup and no project can have.
var ReservedBelow = Reserved(strings.Fields(`
	- badges blame blob builds commits create create_dir edit files find_file new preview raw refs tree update wikis`))

// Has reports whether a path segment is in the list, in any case.
func (r Reserved) Has(segment string) bool { return slices.Contains(r, strings.ToLower(segment)) }

// IsPathSegment reports whether a text has the form of a part of a path: up to 255 letters, digits,
// _, - and ., which does not begin with - or . and does not end in ., .git or .atom.
func IsPathSegment(s string) bool {
	lower := strings.ToLower(s)
	return segmentForm().MatchString(s) && len(s) <= maxName && !strings.HasSuffix(s, ".") &&
		!strings.HasSuffix(lower, ".git") && !strings.HasSuffix(lower, ".atom")
}

// IsDisplayName reports whether a text can be the name of a group or project: up to 255 letters,
// digits, emoji, spaces, dashes and _+.(), which begins with a letter, digit, emoji or _.
func IsDisplayName(s string) bool {
	return nameForm().MatchString(s) && utf8.RuneCountInString(s) <= maxName
}

// IsEmail reports whether a text is taken for an e-mail address.
func IsEmail(s string) bool { return emailForm().MatchString(s) }
