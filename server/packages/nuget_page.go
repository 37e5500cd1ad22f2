package packages

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/packages/nuget"
)

// VersionPage is a range of the versions of a name in a feed.
type VersionPage struct {
	Lower, Upper string         // the oldest and the newest version
	Count        int            // of versions
	Packages     []NugetPackage // oldest first; nil: clients ask for this page by itself
}

// maxShownDependencies is how many dependencies a page has at most, unless one version has more.
const maxShownDependencies = 20_000

// NugetPages returns all versions of a name in a feed as pages, oldest first, or a not-found fault
// if there is none. The last page has its packages. Of several that have a version in a group it is
// the latest.
func NugetPages(ctx context.Context, s *db.Store, f Feed, name string) ([]VersionPage, error) {
	return f.pages(ctx, s, f.named(name))
}

// NugetPage returns a page of NugetPages with its packages, by its oldest and its newest version.
func NugetPage(ctx context.Context, s *db.Store, f Feed, name, lower, upper string) (page VersionPage, err error) {
	from, ok := nuget.LookupVersion(lower)
	if !ok {
		return page, fault.Param("lower is invalid")
	}
	to, ok := nuget.LookupVersion(upper)
	if !ok {
		return page, fault.Param("upper is invalid")
	}
	w := f.named(name)
	w.And(`t.version_key between @lower and @upper`, from.SortKey(), to.SortKey())
	pages, err := f.pages(ctx, s, w)
	if err != nil {
		return page, err
	}
	return pages[len(pages)-1], nil
}

// listedVersion is a version of a name, before its package is read.
type listedVersion struct {
	ID           int64  `db:"id"`
	Version      string `db:"version"`
	Dependencies int    `db:"dependencies"`
}

// pages returns the packages that satisfy the conditions as pages, and reads those of the last.
func (Feed) pages(ctx context.Context, s *db.Store, w *db.Where) ([]VersionPage, error) {
	w.Args["most"] = maxListed
	newest, err := db.Many[listedVersion](ctx, s, `
		select id, version, (select count(*) from nuget_dependencies d where d.package_id = latest.id) as dependencies
		from (select distinct on (t.version_key) t.id, t.version, t.version_key from packages t`+w.String()+`
		      order by t.version_key desc, t.id desc limit @most) latest
		order by version_key desc`, w.Args)
	if err == nil && len(newest) == 0 {
		err = fault.NotFound("Packages")
	}
	if err != nil {
		return nil, err
	}
	var pages []VersionPage
	var ids []int64 // of the first page
	for rest := newest; len(rest) > 0; {
		n := pageLength(rest)
		pages = append(pages, VersionPage{Lower: rest[n-1].Version, Upper: rest[0].Version, Count: n})
		if ids == nil {
			for _, v := range rest[:n] {
				ids = append(ids, v.ID)
			}
		}
		rest = rest[n:]
	}
	list, err := db.Many[Package](ctx, s, selectPlain+` where t.id = any(@ids) order by t.version_key`,
		pgx.NamedArgs{"ids": ids})
	if err == nil {
		pages[0].Packages, err = withDependencies(ctx, s, list)
	}
	slices.Reverse(pages)
	return pages, err
}

// pageLength returns how many of the versions fit into a page, beginning with the first, which
// always does.
func pageLength(list []listedVersion) int {
	n := 1
	for dependencies := list[0].Dependencies; n < min(len(list), maxVersions); n++ {
		if dependencies += list[n].Dependencies; dependencies > maxShownDependencies {
			break
		}
	}
	return n
}
