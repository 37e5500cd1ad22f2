package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/servertest"
)

// versions returns the versions of a package that the project lists.
func (p shop) versions(name string) []string {
	p.Helper()
	var v struct{ Versions []string }
	p.do(200, p.owner.Token, "GET", p.at("/pkgfeed/download/"+name+"/index.json"), nil).Into(p, &v)
	return v.Versions
}

// page is a page of a registration index.
type page struct {
	ID           string `json:"@id"`
	Lower, Upper string
	Count        int
	Items        []struct {
		CatalogEntry struct{ Version, Authors string }
	}
}

// registration returns the pages of a package in the project.
func (p shop) registration(name string) []page {
	p.Helper()
	var v struct {
		Count int
		Items []page
	}
	p.do(200, p.owner.Token, "GET", p.at("/pkgfeed/metadata/"+name+"/index.json"), nil).Into(p, &v)
	require.Len(p, v.Items, v.Count)
	return v.Items
}

// Versions are in the order of the protocol (transfer facts §6.2), and in lower case in addresses
// (NuGetGallery#2988).
func TestVersionOrder(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	sorted := strings.Fields(`0.0.0-latest-version 0.0.1 1.0.0-1 1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.2
		1.0.0-alpha.10 1.0.0-alpha.beta 1.0.0-alpha10 1.0.0-alpha2 1.0.0-Beta 1.0.0-beta.11 1.0.0-rc.1
		1.0.0-x-y-z.1 1.0.0-x-y-z.2 1.0.0 1.0.0.1 1.2.3.4-beta 1.2.3.4 1.9.0 1.9.9 1.10.0 2.0.0-beta 3.0.0-rc`)
	for _, v := range slices.Backward(sorted) {
		p.push("Acme.Core", v)
	}
	lower := make([]string, len(sorted))
	for i, v := range sorted {
		lower[i] = strings.ToLower(v)
	}
	require.Equal(t, lower, p.versions("acme.core"))
	var shown []string
	pages := p.registration("acme.core")
	require.Len(t, pages, 1)
	for _, leaf := range pages[0].Items {
		shown = append(shown, leaf.CatalogEntry.Version)
	}
	require.Equal(t, sorted, shown)
	for _, v := range []string{"1.0.0-BETA", "1.0.0-beta", "1.0.0-Beta"} {
		p.do(200, p.owner.Token, "GET", p.at("/pkgfeed/metadata/ACME.core/"+v+".json"), nil)
		p.do(200, p.owner.Token, "GET", p.at("/pkgfeed/download/acme.core/"+v+"/acme.core."+v+".nupkg"), nil)
	}
	var search struct {
		Data []struct {
			Version  string
			Versions []struct{ Version string }
		}
	}
	p.do(200, p.owner.Token, "GET", p.at("/pkgfeed/query?q=core"), nil).Into(t, &search)
	require.Equal(t, "3.0.0-rc", search.Data[0].Version)
	require.Len(t, search.Data[0].Versions, 10, "the newest (gitea#25953)")
	latest := p.do(200, p.owner.Token, "GET", p.at("/pkgfeed/v2/download/Acme.Core/latest"), nil)
	require.Contains(t, latest.Header.Get("Content-Disposition"), "acme.core.1.10.0.nupkg", "the newest release")
	p.push("Acme.Next", "1.0.0-alpha")
	p.push("Acme.Next", "1.0.0-beta")
	latest = p.do(200, p.owner.Token, "GET", p.at("/pkgfeed/v2/download/Acme.Next/latest"), nil)
	require.Contains(t, latest.Header.Get("Content-Disposition"), "acme.next.1.0.0-beta.nupkg")
}

// Every version that is listed has its metadata: those of many versions, and of many dependencies,
// are on pages.
func TestRegistrationPages(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	p.push("Acme.Core", "0.1.0", "<authors>Ada,Bob, Cy</authors>")
	exec := func(sql string) {
		require.NoError(t, p.s.Store.Exec(t.Context(), sql, pgx.NamedArgs{"project": p.project.ID}))
	}
	// The versions 1.0.0 to 2100.0.0 of the newest of which 25 have 1,000 dependencies each.
	exec(`
		insert into packages (project_id, type, name, version, name_key, version_key, sort_key)
		select @project, 'nuget', 'Acme.Core', v || '.0.0', 'acme.core', k.key, k.key
		from generate_series(1, 2100) v, lateral (select '1' || length(v::text) || v || '.110.110.110~') k (key)`)
	exec(`
		insert into nuget_dependencies (package_id, place, name, range)
		select id, d, 'Acme.Log' || d, '2.0.0' from packages, generate_series(1, 1000) d
		where project_id = @project and version in (select v || '.0.0' from generate_series(2076, 2100) v)`)
	listed := p.versions("acme.core")
	require.Len(t, listed, 2101)
	pages := p.registration("acme.core")
	require.Len(t, pages, 4)
	var found []string
	for i, of := range pages {
		require.Equal(t, i == len(pages)-1, of.Items != nil, "the newest versions are in the index")
		var got page
		r := p.ask("GET", strings.TrimPrefix(of.ID, p.s.URL), nil, basic("x", p.owner.Token))
		require.Equal(t, 200, r.Status, "%s", r.Body)
		r.Into(t, &got)
		require.Equal(t, of.Count, len(got.Items))
		require.Equal(t, of.ID, got.ID)
		require.Equal(t, of.Lower, got.Items[0].CatalogEntry.Version)
		require.Equal(t, of.Upper, got.Items[of.Count-1].CatalogEntry.Version)
		for _, leaf := range got.Items {
			found = append(found, leaf.CatalogEntry.Version)
		}
		if i == 0 {
			require.Equal(t, "Ada, Bob, Cy", got.Items[0].CatalogEntry.Authors)
		}
	}
	require.Equal(t, listed, found)
	require.Equal(t, 20, pages[3].Count, "20,000 dependencies")
	require.Equal(t, 1000, pages[2].Count)
	for _, query := range []string{"?lower=x&upper=1.0.0", "?lower=1.0.0", "?upper=1.0.0"} {
		p.do(400, p.owner.Token, "GET", p.at("/pkgfeed/metadata/acme.core/index.json"+query), nil)
	}
	p.do(404, p.owner.Token, "GET", p.at("/pkgfeed/metadata/acme.core/index?lower=2.1.0&upper=2.2.0"), nil)
}

// A feed has the newest 10,000 versions of a name, with and without their metadata.
func TestMostVersions(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	require.NoError(t, p.s.Store.Exec(t.Context(), `
		insert into packages (project_id, type, name, version, name_key, version_key, sort_key)
		select @project, 'nuget', 'Acme.Core', v || '.0.0', 'acme.core', k.key, k.key
		from generate_series(1, 10001) v, lateral (select '1' || length(v::text) || v || '.110.110.110~') k (key)`,
		pgx.NamedArgs{"project": p.project.ID}))
	listed := p.versions("acme.core")
	require.Len(t, listed, 10_000)
	require.Equal(t, "2.0.0", listed[0])
	pages := p.registration("acme.core")
	require.Len(t, pages, 10)
	require.Equal(t, "2.0.0", pages[0].Lower)
	require.Equal(t, "10001.0.0", pages[9].Upper)
}

// Publishing a version again counts it once, and does not count it anew.
func TestVersionCount(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	count := func() string {
		text, err := db.Value[string](t.Context(), p.s.Store, `
			select ctid || ': ' || versions || ', ' || releases from package_names where project_id = @id`,
			pgx.NamedArgs{"id": p.project.ID})
		require.NoError(t, err)
		return text
	}
	p.push("Acme.Core", "1.0.0")
	first := count()
	require.Contains(t, first, ": 1, 1")
	p.push("Acme.Core", "1.0")
	require.Equal(t, first, count(), "the row was written again")
	p.push("Acme.Core", "2.0.0-beta")
	require.Contains(t, count(), ": 2, 1")
	for _, status := range []string{"hidden", "hidden", "default", "default"} {
		p.do(201, p.owner.Token, "PUT", p.at("/generic/tool/1/f?status="+status), "x")
		require.Equal(t, []string{status}, p.statuses("tool"), fmt.Sprint("status ", status))
	}
}

// statuses returns the states of the packages with a name.
func (p shop) statuses(name string) (list []string) {
	p.Helper()
	list, err := db.Values[string](p.Context(), p.s.Store,
		`select status from packages where project_id = @id and name = @name`,
		pgx.NamedArgs{"id": p.project.ID, "name": name})
	require.NoError(p, err)
	return list
}
