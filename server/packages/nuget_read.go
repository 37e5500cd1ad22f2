package packages

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/packages/nuget"
)

// Metadata is what a package of .NET says of itself.
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

// The limits of texts of a package, in characters. What is longer is cut, and an address that is
// longer is left out: a package is not refused for it.
const (
	maxTitle = 255
	maxText  = 4000
	maxURL   = 2048
)

// shorten cuts what is longer than the limits.
func (m *Metadata) shorten() {
	m.Title = cut(m.Title, maxTitle)
	for _, text := range []*string{&m.Authors, &m.Description, &m.Summary, &m.Tags} {
		*text = cut(*text, maxText)
	}
	for _, address := range []**string{&m.ProjectURL, &m.LicenseURL, &m.IconURL} {
		if *address != nil && len(**address) > maxURL {
			*address = nil
		}
	}
}

// cut returns the first characters of a text.
func cut(text string, most int) string {
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

// NugetPackage is a package of .NET with what it says of itself.
type NugetPackage struct {
	Package
	Metadata
	Dependencies []Dependency
}

// NormalVersion returns the version as clients name it: in its normal form and in lower case.
func (p Package) NormalVersion() string {
	if v, ok := nuget.LookupVersion(p.Version); ok {
		return strings.ToLower(v.Normal())
	}
	return strings.ToLower(p.Version)
}

// named returns the conditions of the packages of a feed with a name, in any case, that clients are
// shown.
func (f Feed) named(name string) *db.Where {
	w := db.NewWhere(nil)
	f.within(w)
	w.And(`t.type = '` + Nuget + `'`)
	w.And(`t.name_key = @name_key`, nuget.FoldName(name))
	w.And(`t.status = '` + Shown + `'`)
	return w
}

// NugetVersions returns the versions of a name in a feed, oldest first, or a not-found fault if
// there is none.
func NugetVersions(ctx context.Context, s *db.Store, f Feed, name string) ([]string, error) {
	w := f.named(name)
	w.Args["most"] = maxListed
	list, err := db.Values[string](ctx, s, `
		select version from (
			select distinct on (t.version_key) t.version, t.version_key from packages t`+w.String()+`
			order by t.version_key desc limit @most) latest
		order by version_key`, w.Args)
	if err == nil && len(list) == 0 {
		err = fault.NotFound("Packages")
	}
	for i, version := range list {
		list[i] = Package{Identity: Identity{Version: version}}.NormalVersion()
	}
	return list, err
}

// maxListed is how many versions of a name are listed without what they say of themselves.
const maxListed = 10_000

// NugetPackages returns the packages of a name in a feed, oldest version first, or a not-found
// fault if there is none. Of several that have a version in a group it is the latest.
func NugetPackages(ctx context.Context, s *db.Store, f Feed, name string) ([]NugetPackage, error) {
	w := f.named(name)
	w.Args["most"] = maxVersions
	list, err := db.Many[Package](ctx, s, `
		select * from (
			select distinct on (version_key) * from (`+selectPackages+w.String()+`) shown
			order by version_key desc, id desc limit @most) latest
		order by version_key`, w.Args)
	if err == nil && len(list) == 0 {
		err = fault.NotFound("Packages")
	}
	if err != nil {
		return nil, err
	}
	if list, err = newestWithin(ctx, s, list, maxShownDependencies); err != nil {
		return nil, err
	}
	return withMetadata(ctx, s, list, true)
}

// maxShownDependencies is how many dependencies one answer has at most. Versions that would add
// more are left out, the oldest first.
const maxShownDependencies = 20_000

// newestWithin returns the last of the packages, as many as have so many dependencies together, and
// one at least.
func newestWithin(ctx context.Context, s *db.Store, list []Package, most int) ([]Package, error) {
	ids := make([]int64, len(list))
	for i, p := range list {
		ids[i] = p.ID
	}
	counts, err := db.Many[struct {
		PackageID int64 `db:"package_id"`
		Count     int   `db:"count"`
	}](ctx, s, `
		select package_id, count(*) from nuget_dependencies where package_id = any(@ids) group by package_id`,
		pgx.NamedArgs{"ids": ids})
	if err != nil {
		return nil, err
	}
	of := map[int64]int{}
	for _, c := range counts {
		of[c.PackageID] = c.Count
	}
	from := len(list) - 1
	for left := most - of[list[from].ID]; from > 0 && of[list[from-1].ID] <= left; from-- {
		left -= of[list[from-1].ID]
	}
	return list[from:], nil
}

// FindNuget returns the package of a feed with a name and a version, in any form, or a not-found
// fault. Of several in a group it is the latest.
func FindNuget(ctx context.Context, s *db.Store, f Feed, name, version string) (p NugetPackage, err error) {
	v, ok := nuget.LookupVersion(version)
	if !ok {
		return p, NotFound()
	}
	w := f.named(name)
	w.And(`t.version_key = @version_key`, v.SortKey())
	found, err := db.One[Package](ctx, s, "Package", selectPackages+w.String()+` order by t.id desc limit 1`, w.Args)
	if err != nil {
		return p, err
	}
	list, err := withMetadata(ctx, s, []Package{found}, true)
	if err != nil {
		return p, err
	}
	return list[0], nil
}

// withMetadata returns packages with what they say of themselves, also what they depend on if that
// is asked for.
func withMetadata(ctx context.Context, s *db.Store, list []Package, depend bool) ([]NugetPackage, error) {
	ids := make([]int64, len(list))
	at := map[int64]int{}
	full := make([]NugetPackage, len(list))
	for i, p := range list {
		ids[i], at[p.ID], full[i].Package = p.ID, i, p
	}
	args := pgx.NamedArgs{"ids": ids}
	metadata, err := db.Many[Metadata](ctx, s, `select * from nuget_metadata where package_id = any(@ids)`, args)
	if err != nil {
		return nil, err
	}
	for _, m := range metadata {
		full[at[m.PackageID]].Metadata = m
	}
	if !depend {
		return full, nil
	}
	dependencies, err := db.Many[Dependency](ctx, s, `
		select package_id, framework, name, range from nuget_dependencies
		where package_id = any(@ids) order by package_id, place`, args)
	for _, d := range dependencies {
		p := &full[at[d.PackageID]]
		p.Dependencies = append(p.Dependencies, d)
	}
	return full, err
}

// NugetFile returns the file of a package that a client asks for by name, or a not-found fault: the
// latest with the ending, if the name is that of the package and its version, in any form.
func NugetFile(ctx context.Context, s *db.Store, p Package, name string) (File, error) {
	name = strings.ToLower(name)
	for _, ending := range []string{packageEnding, symbolsEnding} {
		text, ok := strings.CutSuffix(name, ending)
		if text, ok = cutPrefix(text, p.NameKey+".", ok); !ok {
			continue
		}
		if v, ok := nuget.LookupVersion(text); !ok || v.SortKey() != p.VersionKey {
			break
		}
		return db.One[File](ctx, s, "Package", selectFiles+`
			where t.package_id = @package and right(t.name, length(@ending)) = @ending order by t.id desc limit 1`,
			pgx.NamedArgs{"package": p.ID, "ending": ending})
	}
	return File{}, NotFound()
}

// cutPrefix cuts a prefix off a text if an earlier cut succeeded.
func cutPrefix(text, prefix string, ok bool) (string, bool) {
	rest, found := strings.CutPrefix(text, prefix)
	return rest, ok && found
}
