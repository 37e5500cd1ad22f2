package codeowners

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// parseRule reads a line of a pattern and its owners.
func parseRule(line string) *Rule {
	pattern, owners := splitPattern(line)
	r := &Rule{Owners: parseOwners(owners)}
	pattern, r.excludes = cutExclusion(pattern)
	r.Pattern = unescape(pattern)
	r.glob = globOf(pattern)
	return r
}

// cutExclusion removes the ! of a pattern that leaves files out.
func cutExclusion(pattern string) (string, bool) {
	rest, ok := strings.CutPrefix(pattern, "!")
	return rest, ok && rest != ""
}

// splitPattern separates the pattern of a line from the rest at the first blank that no backslash
// stands before.
func splitPattern(line string) (pattern, rest string) {
	escaped := false
	for i, c := range line {
		if !escaped && (c == ' ' || c == '\t') {
			return line[:i], line[i:]
		}
		escaped = c == '\\' && !escaped
	}
	return line, ""
}

// unescape removes the backslashes before blanks and hashes.
func unescape(pattern string) string { return escapes.Replace(pattern) }

var escapes = strings.NewReplacer(`\ `, " ", `\#`, "#")

// braces have no meaning in patterns.
var braces = strings.NewReplacer(`\{`, `\{`, `\}`, `\}`, "{", `\{`, "}", `\}`)

// globOf returns the pattern of whole paths, with a leading slash, that a pattern of a line stands
// for.
func globOf(pattern string) string {
	if pattern == "*" {
		return "/**"
	}
	glob := braces.Replace(unescape(pattern))
	if !strings.HasPrefix(glob, "/") {
		glob = "/**/" + glob
	}
	if strings.HasSuffix(glob, "/") {
		glob += "**"
	}
	return glob
}

// matches reports whether the rule is about a path with a leading slash. A pattern that cannot be
// read matches nothing.
func (r *Rule) matches(path string) bool {
	ok, err := doublestar.Match(r.glob, path)
	return ok && err == nil
}

// roles are the owners that are meant by a role, and how they may be written.
var roles = map[string]string{
	"developer": "developer", "developers": "developer",
	"maintainer": "maintainer", "maintainers": "maintainer",
	"owner": "owner", "owners": "owner",
}

// parseOwners reads the owners of a line. It skips words that are not owners.
func parseOwners(text string) (owners []Owner) {
	for _, word := range strings.Fields(text) {
		var o Owner
		name, isName := strings.CutPrefix(word, "@")
		role, isRole := strings.CutPrefix(name, "@")
		switch {
		case isName && isRole:
			o.Role = roles[strings.ToLower(role)]
		case isName:
			o.Name = name
		default:
			if local, domain, ok := strings.Cut(word, "@"); ok && local != "" && domain != "" {
				o.Email = word
			}
		}
		if o != (Owner{}) && !slices.Contains(owners, o) {
			owners = append(owners, o)
		}
	}
	return owners
}
