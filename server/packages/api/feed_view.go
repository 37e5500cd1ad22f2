package api

import (
	"net/url"
	"strings"
	"time"

	"hew/server/packages"
)

// registrationView is the index of a package: one page with all its versions, unless there are very
// many (spec 1 §4.1).
type registrationView struct {
	Count int           `json:"count"` // of pages
	Items []versionPage `json:"items"` // oldest versions first
}

type versionPage struct {
	ID    string     `json:"@id"`
	Lower string     `json:"lower"`
	Upper string     `json:"upper"`
	Count int        `json:"count"`           // of versions
	Items []leafView `json:"items,omitempty"` // left out: clients get the page by its address
}

// leafView is a version of a package.
type leafView struct {
	ID             string       `json:"@id"`
	PackageContent string       `json:"packageContent"` // address of the file
	CatalogEntry   catalogEntry `json:"catalogEntry"`
}

// catalogEntry is what a version says of itself.
type catalogEntry struct {
	ID               string            `json:"@id"`
	Authors          string            `json:"authors"`
	DependencyGroups []dependencyGroup `json:"dependencyGroups"`
	Name             string            `json:"id"`
	Version          string            `json:"version"`
	Tags             string            `json:"tags"`
	PackageContent   string            `json:"packageContent"`
	Description      string            `json:"description"`
	Summary          string            `json:"summary"`
	Published        time.Time         `json:"published"`
	links
}

// links are addresses that a package tells of itself; those that it lacks are left out.
type links struct {
	ProjectURL *string `json:"projectUrl,omitempty"`
	LicenseURL *string `json:"licenseUrl,omitempty"`
	IconURL    *string `json:"iconUrl,omitempty"`
}

func linksOf(m packages.Metadata) links { return links{m.ProjectURL, m.LicenseURL, m.IconURL} }

type dependencyGroup struct {
	ID              string           `json:"@id"`
	Type            string           `json:"@type"`
	TargetFramework string           `json:"targetFramework,omitempty"` // left out: for all that have no group
	Dependencies    []dependencyView `json:"dependencies"`
}

type dependencyView struct {
	ID    string `json:"@id"`
	Type  string `json:"@type"`
	Name  string `json:"id"`
	Range string `json:"range"`
}

// registration shows all versions of a package, oldest first. The address of the last page, which
// has its versions, is that of the index if it is the only one.
func (s source) registration(pages []packages.VersionPage) registrationView {
	name := pages[len(pages)-1].Packages[0].Name
	v := registrationView{Count: len(pages), Items: make([]versionPage, len(pages))}
	for i, p := range pages {
		v.Items[i] = s.page(name, p)
	}
	if len(pages) == 1 {
		v.Items[0].ID = s.metadataOf(name) + "/index.json"
	}
	return v
}

// page shows a page of the versions of a package.
func (s source) page(name string, p packages.VersionPage) versionPage {
	v := versionPage{
		ID:    s.metadataOf(name) + "/index.json?" + url.Values{"lower": {p.Lower}, "upper": {p.Upper}}.Encode(),
		Lower: p.Lower, Upper: p.Upper, Count: p.Count,
	}
	for _, of := range p.Packages {
		v.Items = append(v.Items, s.leaf(of))
	}
	return v
}

func (s source) metadataOf(name string) string { return s.base + "/metadata/" + url.PathEscape(name) }

// leaf shows a version of a package.
func (s source) leaf(p packages.NugetPackage) leafView {
	id, content := s.leafAddress(p.Package), s.contentAddress(p.Package)
	return leafView{ID: id, PackageContent: content, CatalogEntry: catalogEntry{
		ID: id, Authors: joinAuthors(p.Authors), DependencyGroups: dependencyGroupsOf(id, p.Dependencies), Name: p.Name,
		Version: p.Version, Tags: p.Tags, PackageContent: content, Description: p.Description, Summary: p.Summary,
		Published: p.CreatedAt, links: linksOf(p.Metadata),
	}}
}

// joinAuthors returns names with commas between them as clients show them: with a space after each.
func joinAuthors(names string) string {
	list := strings.Split(names, ",")
	for i, name := range list {
		list[i] = strings.TrimSpace(name)
	}
	return strings.Join(list, ", ")
}

func (s source) leafAddress(p packages.Package) string {
	return s.metadataOf(p.Name) + "/" + url.PathEscape(p.Version) + ".json"
}

// contentAddress returns where the file of a package is: clients want its name and version in lower
// case there.
func (s source) contentAddress(p packages.Package) string {
	name, version := url.PathEscape(p.NameKey), url.PathEscape(p.NormalVersion())
	return s.base + "/download/" + name + "/" + version + "/" + name + "." + version + ".nupkg"
}

// dependencyGroupsOf returns the dependencies of a version by framework, in their order. id is the
// address of the version.
func dependencyGroupsOf(id string, list []packages.Dependency) []dependencyGroup {
	groups, at := []dependencyGroup{}, map[string]int{}
	for _, d := range list {
		i, ok := at[d.Framework]
		if !ok {
			i = len(groups)
			at[d.Framework] = i
			address := id + "#dependencyGroup"
			if d.Framework != "" {
				address += "/" + url.PathEscape(d.Framework)
			}
			groups = append(groups, dependencyGroup{
				ID: address, Type: "PackageDependencyGroup", TargetFramework: d.Framework,
				Dependencies: []dependencyView{},
			})
		}
		if g := &groups[i]; d.Name != nil {
			g.Dependencies = append(g.Dependencies, dependencyView{
				ID: g.ID + "/" + url.PathEscape(*d.Name), Type: "PackageDependency", Name: *d.Name, Range: d.Range,
			})
		}
	}
	return groups
}

// searchView is what a search found (spec 1 §4.1).
type searchView struct {
	TotalHits int          `json:"totalHits"` // packages, on all pages
	Data      []resultView `json:"data"`
}

type resultView struct {
	Type           string        `json:"@type"`
	Authors        string        `json:"authors"`
	ID             string        `json:"id"`
	Title          string        `json:"title"`
	Description    string        `json:"description"`
	Summary        string        `json:"summary"`
	TotalDownloads int           `json:"totalDownloads"`
	Verified       bool          `json:"verified"`
	Version        string        `json:"version"` // the newest
	Versions       []versionView `json:"versions"`
	Tags           string        `json:"tags"`
	links
}

type versionView struct {
	ID        string `json:"@id"`
	Version   string `json:"version"`
	Downloads int    `json:"downloads"`
}

// results shows what a search found. Downloads are not counted.
func (s source) results(list []packages.Result, total int) searchView {
	v := searchView{TotalHits: total, Data: make([]resultView, len(list))}
	for i, r := range list {
		p := r.Latest
		versions := make([]versionView, len(r.Versions))
		for j, of := range r.Versions { // oldest first
			versions[len(versions)-1-j] = versionView{ID: s.leafAddress(of), Version: of.Version}
		}
		v.Data[i] = resultView{
			Type: "Package", Authors: joinAuthors(p.Authors), ID: p.Name, Title: p.Name, Description: p.Description,
			Summary: p.Summary, Verified: true, Version: p.Version, Versions: versions, Tags: p.Tags,
			links: linksOf(p.Metadata),
		}
	}
	return v
}
