package packages

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// Metadata is what a NuGet package says of itself.
type Metadata struct {
	PackageID   int64   `db:"package_id"`
	Title       string  `db:"title"`
	Authors     string  `db:"authors"` // names with commas between them
	Description string  `db:"description"`
	Summary     string  `db:"summary"`
	Tags        string  `db:"tags"` // with spaces between them
	ProjectURL  *string `db:"project_url"`
	LicenseURL  *string `db:"license_url"`
	IconURL     *string `db:"icon_url"`
}

// The limits of texts of a package, in characters. Longer texts are truncated and longer addresses
// left out: a package is not refused for them.
const (
	maxTitle = 255
	maxText  = 4000
	maxURL   = 2048
)

// shorten applies the limits.
func (m *Metadata) shorten() {
	m.Title = truncate(m.Title, maxTitle)
	for _, text := range []*string{&m.Authors, &m.Description, &m.Summary, &m.Tags} {
		*text = truncate(*text, maxText)
	}
	for _, address := range []**string{&m.ProjectURL, &m.LicenseURL, &m.IconURL} {
		if *address != nil && len(**address) > maxURL {
			*address = nil
		}
	}
}

// truncate returns the first characters of a text.
func truncate(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most])
	}
	return text
}

// Dependency is one of the dependencies of a package, or says that there are none for a framework.
type Dependency struct {
	PackageID int64   `db:"package_id"`
	Framework string  `db:"framework"` // empty: all
	Name      *string `db:"name"`      // nil: none for this framework
	Range     string  `db:"range"`
}

// NugetPackage is a NuGet package with what it says of itself.
type NugetPackage struct {
	Package
	Metadata
	Dependencies []Dependency
}

// withMetadata returns packages with what they say of themselves, without dependencies.
func withMetadata(ctx context.Context, s *db.Store, list []Package) ([]NugetPackage, error) {
	full := make([]NugetPackage, len(list))
	for i, p := range list {
		full[i].Package = p
	}
	ids, at := positions(full)
	metadata, err := db.Many[Metadata](ctx, s, `select * from nuget_metadata where package_id = any(@ids)`,
		pgx.NamedArgs{"ids": ids})
	for _, m := range metadata {
		full[at[m.PackageID]].Metadata = m
	}
	return full, err
}

// withDependencies returns packages with what they say of themselves.
func withDependencies(ctx context.Context, s *db.Store, list []Package) ([]NugetPackage, error) {
	full, err := withMetadata(ctx, s, list)
	if err != nil {
		return nil, err
	}
	ids, at := positions(full)
	dependencies, err := db.Many[Dependency](ctx, s, `
		select package_id, framework, name, range from nuget_dependencies
		where package_id = any(@ids) order by package_id, place`, pgx.NamedArgs{"ids": ids})
	for _, d := range dependencies {
		p := &full[at[d.PackageID]]
		p.Dependencies = append(p.Dependencies, d)
	}
	return full, err
}

// positions returns the ids of packages, and where in the list each is.
func positions(list []NugetPackage) (ids []int64, at map[int64]int) {
	ids, at = make([]int64, len(list)), make(map[int64]int, len(list))
	for i, p := range list {
		ids[i], at[p.ID] = p.ID, i
	}
	return ids, at
}
