package packages

import (
	"context"
	"fmt"
	"strings"

	"hew/server/db"
	"hew/server/tree"
)

// Search is what a client looks for in a feed.
type Search struct {
	Text       string // a part of the name, in any case
	Skip, Take int    // packages
	Prerelease bool   // prereleases count, too
}

// Result is a package that was found, with its newest versions.
type Result struct {
	Latest   NugetPackage // that is looked for
	Versions []Package    // newest first, at most maxFound
}

const maxFound = 10 // versions of a result

// FindPackages returns a page of the packages of a feed whose names have a text, by name, and how
// many there are.
func FindPackages(ctx context.Context, s *db.Store, f Feed, q Search) (list []Result, total int, err error) {
	w := db.NewWhere(nil)
	f.within(w)
	w.And(`t.type = '` + Nuget + `'`)
	w.AndIf(q.Text != "", `t.name_key like @text`, tree.Infix(strings.ToLower(q.Text)))
	w.AndIf(!q.Prerelease, `t.releases > 0`)
	w.Args["take"], w.Args["skip"] = q.Take, q.Skip
	names, err := db.Many[struct {
		Name  string `db:"name_key"`
		Total int    `db:"total"`
	}](ctx, s, `
		select name_key, count(*) over () as total
		from (select `+f.distinct()+` t.name_key from package_names t`+w.String()+`) found
		order by name_key limit @take offset @skip`, w.Args)
	if err != nil {
		return nil, 0, err
	}
	if len(names) == 0 {
		total, err = db.Value[int](ctx, s, `
			select count(distinct t.name_key) from package_names t`+w.String(), w.Args)
		return nil, total, err
	}
	keys := make([]string, len(names))
	for i, n := range names {
		keys[i] = n.Name
	}
	list, err = f.newest(ctx, s, keys, q)
	return list, names[0].Total, err
}

// distinct returns what a query of the names in a feed begins with. A project has each name once.
func (f Feed) distinct() string {
	if f.ProjectID != 0 {
		return ""
	}
	return "distinct"
}

// newest returns the newest versions of names in a feed that a search may find, by name.
func (f Feed) newest(ctx context.Context, s *db.Store, names []string, q Search) ([]Result, error) {
	w := db.NewWhere(nil)
	f.within(w)
	w.And(`t.type = '` + Nuget + `' and t.name_key = wanted.name and t.status = '` + Shown + `'`)
	w.AndIf(!q.Prerelease, `not t.prerelease`)
	w.Args["names"] = names
	rows, err := db.Many[Package](ctx, s, fmt.Sprintf(`
		select v.*, p.full_path as project_path, '{}'::bigint[] as pipelines
		from unnest(@names::text[]) with ordinality wanted (name, place), lateral (
			select distinct on (t.version_key) t.* from packages t%s order by t.version_key desc, t.id desc limit %d) v
			join projects p on p.id = v.project_id
		order by wanted.place, v.version_key desc, v.id desc`, w, maxFound), w.Args)
	if err != nil {
		return nil, err
	}
	var list []Result
	var latest []Package
	for i, p := range rows {
		if i == 0 || rows[i-1].NameKey != p.NameKey {
			latest, list = append(latest, p), append(list, Result{})
		}
		of := &list[len(list)-1]
		of.Versions = append(of.Versions, p)
	}
	full, err := withMetadata(ctx, s, latest)
	for i, p := range full {
		list[i].Latest = p
	}
	return list, err
}
