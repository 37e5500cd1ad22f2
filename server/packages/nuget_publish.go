package packages

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/packages/nuget"
	"hew/server/setting"
	"hew/server/tree"
	"hew/server/zipfile"
)

// NugetUpload is a NuGet package, or the symbols of one, as a client sends it.
type NugetUpload struct {
	Project tree.Project
	By      Publisher
	Symbols bool // it was sent as symbols; a package that says so of itself is taken as them, too
	Content io.Reader
}

// Endings of the names of files, which tell packages from symbols.
const (
	packageEnding = ".nupkg"
	symbolsEnding = ".snupkg"
)

// errSymbolsAlone is the fault of symbols whose package is not there.
func errSymbolsAlone() error {
	return fault.BadRequest("symbol package is invalid, matching package does not exist")
}

// errDuplicate is the fault of a package that is there already, where duplicates are not allowed.
func errDuplicate() error {
	return fault.Conflict("A package with the same name and version already exists")
}

// PublishNuget stores a package, reads what it says of itself, and publishes it (gaps §11). It
// must be called outside of a transaction.
func PublishNuget(ctx context.Context, st *db.Store, u NugetUpload) (p Package, err error) {
	plan, err := setting.ReadPlanLimits(ctx, st, "default")
	if err != nil {
		return p, err
	}
	content, err := Store(ctx, st, u.Content, limitOf(plan.Limits.NugetMaxFileSize))
	if fault.CodeOf(err) == fault.CodeTooLarge {
		err = fault.BadRequest("File is too large")
	}
	if err != nil {
		return p, err
	}
	reader, err := blob.Open(ctx, st, content.Ref, 0)
	if err != nil {
		return p, err
	}
	defer func() { _ = reader.Close() }() // nothing is lost
	pkg, err := nuget.ReadPackage(zipfile.Seeking(reader), content.Ref.Size)
	if err != nil {
		return p, asFault(err)
	}
	m := pkg.Manifest
	u.Symbols = u.Symbols || m.IsSymbols()
	pub := publication{Project: u.Project, By: u.By, ID: NugetIdentity(m.ID, m.Version), Content: content}
	pub.Content.StoredName = strings.ToLower(m.ID+"."+m.Version.String()) + packageEnding
	pub.refuseDuplicate = refuseNuget
	pub.afterInsert = func(ctx context.Context, st *db.Store, done publicationResult) error {
		return storeManifest(ctx, st, done.Package, m)
	}
	if u.Symbols {
		pub.beSymbols()
	}
	if err := pub.check(ctx, st); err != nil {
		return p, err
	}
	if u.Symbols {
		if err := pub.withSymbols(ctx, st, pkg); err != nil {
			return p, err
		}
	}
	p, _, err = publish(ctx, st, pub)
	return p, err
}

// asFault returns what is wrong with a package as a fault.
func asFault(err error) error {
	var problem nuget.Problem
	if errors.As(err, &problem) {
		return fault.BadRequest(err.Error())
	}
	return err
}

// NugetIdentity returns the identity of a NuGet package. Equal versions have one key, however
// they are written.
func NugetIdentity(name string, v nuget.Version) Identity {
	key := v.SortKey()
	return Identity{
		Type: Nuget, Name: name, Version: v.String(), NameKey: nuget.FoldName(name), VersionKey: key, SortKey: key,
		Prerelease: v.Prerelease(),
	}
}

// sortKey returns the key that orders versions of any format: those that look like versions by
// their numbers, and the others after them.
func sortKey(version string) string {
	if v, ok := nuget.LookupVersion(version); ok {
		return v.SortKey()
	}
	return "~" + version
}

// refuseNuget returns why a package may not have another file.
func refuseNuget(_ context.Context, _ *db.Store, p Package, s Settings) error {
	if s.mayRepeat(p.Identity) {
		return nil
	}
	return errDuplicate()
}

// storeManifest replaces what is known of a package by what its latest file says.
func storeManifest(ctx context.Context, st *db.Store, p Package, m nuget.Manifest) error {
	meta := Metadata{
		PackageID: p.ID, Title: m.Title, Authors: m.Authors, Description: m.Description, Summary: m.Summary,
		Tags: strings.Join(m.Tags, " "), ProjectURL: db.NilIfZero(m.ProjectURL), LicenseURL: db.NilIfZero(m.LicenseURL),
		IconURL: db.NilIfZero(m.IconURL),
	}
	meta.shorten()
	names, args := db.Columns(meta)
	columns := strings.Join(names, ", ")
	if err := st.Exec(ctx, fmt.Sprintf(`
		insert into nuget_metadata (%s) values (@%s) on conflict (package_id) do update set (%s) = row(excluded.%s)`,
		columns, strings.Join(names, ", @"), columns, strings.Join(names, ", excluded.")), args); err != nil {
		return err
	}
	return replaceDependencies(ctx, st, p.ID, m.Dependencies)
}

// maxDependencies is how many dependencies a package may have: all of them are shown at once.
const maxDependencies = 1000

// replaceDependencies stores the dependencies of a package. A group without any has a row that
// names nothing.
func replaceDependencies(ctx context.Context, st *db.Store, packageID int64, groups []nuget.DependencyGroup) error {
	var frameworks, ranges []string
	var names []*string
	add := func(framework string, name *string, within string) {
		frameworks, names, ranges = append(frameworks, framework), append(names, name), append(ranges, within)
	}
	for _, g := range groups {
		if len(g.Dependencies) == 0 {
			add(g.TargetFramework, nil, "")
		}
		for _, d := range g.Dependencies {
			add(g.TargetFramework, &d.ID, d.Range)
		}
	}
	if len(names) > maxDependencies {
		return fault.BadRequest(fmt.Sprintf("package has too many dependencies (maximum is %d)", maxDependencies))
	}
	args := pgx.NamedArgs{"package": packageID, "frameworks": frameworks, "names": names, "ranges": ranges}
	if err := st.Exec(ctx, `delete from nuget_dependencies where package_id = @package`, args); err != nil {
		return err
	}
	return st.Exec(ctx, `
		insert into nuget_dependencies (package_id, place, framework, name, range)
		select @package, d.place, d.framework, d.name, d.range
		from unnest(@frameworks::text[], @names::text[], @ranges::text[]) with ordinality d (framework, name, range, place)`,
		args)
}
