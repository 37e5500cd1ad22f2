// Package codeowners reads CODEOWNERS files, which say who owns which files of a repository
// (more §6.3).
//
// A file has sections, and each line of a section gives a pattern its owners. In every section the
// last line that matches a path counts, so that a path has one rule per section at most. Lines that
// cannot be read have no owners; only a file that is too large is an error.
package codeowners

import (
	"cmp"
	"errors"
	"slices"
	"strings"
)

// Paths are where the file is looked for. The first one that exists counts.
var Paths = []string{"CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"}

// The limits of a file: each changed path is compared with each rule.
const (
	MaxSize  = 1 << 20 // bytes
	MaxRules = 10_000
)

// ErrTooLarge is the error of a file beyond MaxSize or MaxRules.
var ErrTooLarge = errors.New("the file is too large")

// DefaultSection is the name of the section of lines that stand before any heading.
const DefaultSection = "codeowners"

// File is a CODEOWNERS file.
type File struct {
	Sections []*Section // in the order of their first headings

	byName map[string]*Section // by names in lower case
}

// Section is a part of a file with rules of its own.
type Section struct {
	Name      string // as it was spelled first; case does not tell names apart
	Optional  bool   // no approval is required
	Approvals int    // how many are required, at least 1
	Rules     []*Rule
}

// Rule gives the files that match a pattern their owners.
type Rule struct {
	Pattern string // as it was written, without escapes
	Owners  []Owner
	Line    int // in the file, from 1

	glob     string
	excludes bool // files that match are left out of the section for good
}

// Owner is a user, a group, or all direct members with a role. One field is set.
type Owner struct {
	Name  string // of a user, or the full path of a group
	Email string // of a user
	Role  string // developer, maintainer or owner: members with exactly this role
}

// Match is the rule of a section for a path.
type Match struct {
	Section *Section
	Rule    *Rule
}

// Match returns the rules for a path, one for each section that has any. Path has no leading slash.
func (f *File) Match(path string) (matches []Match) {
	path = "/" + path
	for _, s := range f.Sections {
		if r := s.match(path); r != nil {
			matches = append(matches, Match{s, r})
		}
	}
	return matches
}

// match returns the last rule of a section that matches a path, nil if the path is left out.
func (s *Section) match(path string) *Rule {
	var found *Rule
	for _, r := range slices.Backward(s.Rules) {
		switch {
		case found != nil && !r.excludes:
			continue
		case !r.matches(path):
			continue
		case r.excludes:
			return nil
		}
		found = r
	}
	return found
}

// section returns the section with a name, which it adds if there is none.
func (f *File) section(h heading) *Section {
	key := strings.ToLower(h.name)
	s := f.byName[key]
	if s == nil {
		s = &Section{Name: h.name, Optional: h.optional, Approvals: h.approvals}
		f.Sections, f.byName[key] = append(f.Sections, s), s
		return s
	}
	s.Optional = s.Optional && h.optional
	s.Approvals = max(s.Approvals, h.approvals)
	return s
}

// Parse reads a file. The error is ErrTooLarge or nil.
func Parse(text string) (*File, error) {
	if len(text) > MaxSize {
		return nil, ErrTooLarge
	}
	f := &File{byName: map[string]*Section{}}
	rules := 0
	at := heading{name: DefaultSection, approvals: 1}
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if h, ok := parseHeading(line); ok {
			at = h
			f.section(h)
			continue
		}
		if rules++; rules > MaxRules {
			return nil, ErrTooLarge
		}
		r := parseRule(line)
		r.Line = n
		if len(r.Owners) == 0 {
			r.Owners = at.owners
		}
		s := f.section(at)
		s.Rules = append(s.Rules, r)
	}
	return f, nil
}

// heading is the first line of a section.
type heading struct {
	name      string
	optional  bool
	approvals int
	owners    []Owner // of rules that name none
}

// parseHeading reads a line such as ^[Name][2] @owner.
func parseHeading(line string) (h heading, ok bool) {
	rest, optional := strings.CutPrefix(line, "^")
	rest, ok = strings.CutPrefix(rest, "[")
	name, rest, closed := strings.Cut(rest, "]")
	if name = strings.TrimSpace(name); !ok || !closed || name == "" {
		return h, false
	}
	h = heading{name: name, optional: optional, approvals: 1}
	if inner, ok := strings.CutPrefix(rest, "["); ok {
		number, after, closed := strings.Cut(inner, "]")
		if !closed {
			return h, false
		}
		h.approvals, rest = cmp.Or(parseCount(number), 1), after
	}
	if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return h, false // a pattern such as [a-z]*.md
	}
	h.owners = parseOwners(rest)
	return h, true
}

// parseCount returns the number of required approvals, or 0 if the text is not a number.
func parseCount(text string) (n int) {
	for _, c := range text {
		if c < '0' || c > '9' || n > 1000 {
			return 0
		}
		n = n*10 + int(c-'0')
	}
	return n
}
