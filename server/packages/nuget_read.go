package packages

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/packages/nuget"
)

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

// maxListed is how many versions of a name a feed has; of more, it has the newest.
const maxListed = 10_000

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

// LatestNuget returns the package of a feed with a name that is the newest release, or the newest
// version if all are prereleases, or a not-found fault.
func LatestNuget(ctx context.Context, s *db.Store, f Feed, name string) (Package, error) {
	w := f.named(name)
	return db.One[Package](ctx, s, "Packages", selectPlain+w.String()+`
		order by t.prerelease, t.version_key desc, t.id desc limit 1`, w.Args)
}

// FindNuget returns the package of a feed with a name and a version, in any form, or a not-found
// fault. Of several in a group it is the latest.
func FindNuget(ctx context.Context, s *db.Store, f Feed, name, version string) (p Package, err error) {
	v, ok := nuget.LookupVersion(version)
	if !ok {
		return p, NotFound()
	}
	w := f.named(name)
	w.And(`t.version_key = @version_key`, v.SortKey())
	return db.One[Package](ctx, s, "Package", selectPlain+w.String()+` order by t.id desc limit 1`, w.Args)
}

// ReadNuget returns what FindNuget does, with what the package says of itself.
func ReadNuget(ctx context.Context, s *db.Store, f Feed, name, version string) (p NugetPackage, err error) {
	found, err := FindNuget(ctx, s, f, name, version)
	if err != nil {
		return p, err
	}
	list, err := withDependencies(ctx, s, []Package{found})
	if err != nil {
		return p, err
	}
	return list[0], nil
}

// NugetFile returns the file of a package that a client asks for by name, or a not-found fault: the
// latest with the ending, if the name is that of the package and its version, in any form.
func NugetFile(ctx context.Context, s *db.Store, p Package, name string) (File, error) {
	for _, ending := range []string{packageEnding, symbolsEnding} {
		text, isFile := strings.CutSuffix(strings.ToLower(name), ending)
		version, isNamed := strings.CutPrefix(text, p.NameKey+".")
		if !isFile || !isNamed {
			continue
		}
		if v, ok := nuget.LookupVersion(version); ok && v.SortKey() == p.VersionKey {
			return latestNugetFile(ctx, s, p, ending)
		}
	}
	return File{}, NotFound()
}

// latestNugetFile returns the latest file of a package with an ending, or a not-found fault.
func latestNugetFile(ctx context.Context, s *db.Store, p Package, ending string) (File, error) {
	return db.One[File](ctx, s, "Package", selectFiles+`
		where t.package_id = @package and right(t.name, length(@ending)) = @ending order by t.id desc limit 1`,
		pgx.NamedArgs{"package": p.ID, "ending": ending})
}

// LatestNugetFile returns the latest file of a package that is no symbol package, or a not-found
// fault.
func LatestNugetFile(ctx context.Context, s *db.Store, p Package) (File, error) {
	return latestNugetFile(ctx, s, p, packageEnding)
}
