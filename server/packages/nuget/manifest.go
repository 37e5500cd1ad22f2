package nuget

import (
	"io"
	"slices"
	"strings"

	"hew/schema/pattern"
)

// MaxManifest is how many bytes a manifest may have, unpacked.
const MaxManifest = 4 << 20

// Manifest is what a package says of itself, in its file .nuspec. Texts have no space around them;
// all but ID and Version can be empty.
type Manifest struct {
	ID          string // valid, in the case of the package
	Version     Version
	Title       string
	Authors     string // as written: names with commas between them
	Description string
	Summary     string
	ProjectURL  string
	LicenseURL  string
	IconURL     string
	Tags        []string
	Types       []string // what the package is for, such as "DotnetTool"; most packages have none
	// Dependencies has one group a target framework. A group without dependencies is kept: it says
	// that the package needs nothing there, where no group would have clients take another one.
	Dependencies []DependencyGroup
}

// DependencyGroup is what a package needs on one target framework.
type DependencyGroup struct {
	TargetFramework string // as written; "" = all that have no group of their own
	Dependencies    []Dependency
}

// Dependency is a package that another one needs.
type Dependency struct {
	ID    string // as written
	Range string // normal form; AnyRange if it is missing or not valid, as clients read it
}

// symbolsType is the type of packages that hold nothing but symbols.
const symbolsType = "SymbolsPackage"

// IsSymbols reports whether the package holds the symbols of another one.
func (m Manifest) IsSymbols() bool {
	return slices.ContainsFunc(m.Types, func(t string) bool { return strings.EqualFold(t, symbolsType) })
}

// ReadManifest reads a manifest in any encoding. Element names count without their namespaces, of
// which there are many. Of elements that should be there once, the first counts.
func ReadManifest(r io.Reader) (Manifest, error) {
	content, err := io.ReadAll(io.LimitReader(r, MaxManifest+1))
	if err != nil {
		return Manifest{}, err
	}
	if len(content) > MaxManifest {
		return Manifest{}, ManifestTooLarge
	}
	text, err := decode(content)
	if err != nil {
		return Manifest{}, err
	}
	p := manifestParser{
		texts: map[string]string{}, groups: map[string]int{}, seen: map[groupedDependency]struct{}{},
	}
	if err := p.parse(text); err != nil {
		return Manifest{}, err
	}
	return p.manifest()
}

// manifest returns what was parsed, with its identity checked.
func (p *manifestParser) manifest() (Manifest, error) {
	id, version := p.texts["id"], p.texts["version"]
	if id == "" || version == "" {
		return Manifest{}, NoIdentity
	}
	if !ValidName(id) {
		return Manifest{}, InvalidName
	}
	parsed, ok := ParseVersion(version)
	if !ok {
		return Manifest{}, InvalidVersion
	}
	return Manifest{
		ID: id, Version: parsed, Title: p.texts["title"], Authors: p.texts["authors"],
		Description: p.texts["description"], Summary: p.texts["summary"], ProjectURL: p.texts["projectUrl"],
		LicenseURL: p.texts["licenseUrl"], IconURL: p.texts["iconUrl"], Tags: strings.Fields(p.texts["tags"]),
		Types: p.types, Dependencies: p.dependencies,
	}, nil
}

var nameCharacters = pattern.Lazy(`^[-+._a-zA-Z0-9]+$`)

// ValidName reports whether a package may have this name: 1 to 255 letters, digits and "-+._" in
// ASCII. Names of dots alone are not valid: URLs cannot contain them.
func ValidName(name string) bool {
	return len(name) <= maxText && nameCharacters().MatchString(name) && strings.Trim(name, ".") != ""
}

// FoldName returns the form of a name that lookups and URLs use: packages whose names differ only
// in case are the same.
func FoldName(name string) string { return strings.ToLower(name) }
