package api

import (
	"context"
	"log/slog"
	"net/http"
	"strings"

	"hew/server/fault"
	"hew/server/packages"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// feedSegments are the names of the feed in addresses: that of the specification, and that which
// clients know.
var feedSegments = []string{"pkgfeed", "nuget"}

// feed serves packages to NuGet clients: version 3 of their protocol in JSON, and of version 2
// what they need of its XML (spec 1 §4.1, gaps §11).
type feed struct {
	*view.Site
	log     *slog.Logger
	segment string
}

func (a feed) routes() []rest.Route {
	project, group := "/projects/{id}/packages/"+a.segment, "/groups/{id}/-/packages/"+a.segment
	open, openGroup := a.open(), a.openGroup()
	read := challengeAnonymous(scope.As(toRead(readPackage), a.inProject))
	readGroup := challengeAnonymous(a.inGroup())
	upload, destroy := challengeAnonymous(toWrite(createPackage)), challengeAnonymous(toWrite(destroyPackage))
	publish := func(path string, do rest.Handler[scope.InProject, packageUpload, rest.Raw]) rest.Route {
		return rest.Put(path, upload, do).
			WithoutTransaction().Status(http.StatusCreated).Limit(maxUpload).Timeout(transferTime)
	}
	routes := []rest.Route{
		publish(project, a.publish), publish(project+"/v2", a.publish),
		publish(project+"/symbolpackage", a.publishSymbols),
		rest.Delete(project+"/{package_name}/{package_version}", destroy, a.delete).Priority(),
		rest.Delete(project+"/v2/{package_name}/{package_version}", destroy, a.delete),
		rest.Get(project+"/v2/{operation}", open, a.entries),
		rest.Get(project+"/v2/download/{package_name}/{package_version}", read, a.downloadV2).Timeout(transferTime),
	}
	for _, at := range []struct {
		path       string
		open, read rest.Guard[source]
	}{{project, open, read}, {group, openGroup, readGroup}} {
		routes = append(routes,
			rest.Get(at.path+"/index", at.open, a.index),
			rest.Get(at.path+"/v2", at.open, a.serviceDocument),
			rest.Get(at.path+"/v2/$metadata", at.open, a.describe),
			rest.Get(at.path+"/metadata/{package_name}/index", at.read, a.registration),
			rest.Get(at.path+"/metadata/{package_name}/{package_version}", at.read, a.leaf),
			rest.Get(at.path+"/query", at.read, a.search),
			rest.Get(at.path+"/download/{package_name}/index", at.read, a.versions),
			rest.Get(at.path+"/download/{package_name}/{package_version}/{package_filename}", at.read, a.download).
				Timeout(transferTime),
			rest.Get(at.path+"/symbolfiles/{file_name}/{signature}/{same_file_name}", at.open, a.symbols).
				Timeout(transferTime),
		)
	}
	return routes
}

// resource is an entry of the index of a feed.
type resource struct {
	ID      string `json:"@id"`
	Type    string `json:"@type"`
	Comment string `json:"comment"`
}

type indexView struct {
	Version   string     `json:"version"`
	Resources []resource `json:"resources"`
}

// index says where the parts of the feed are.
func (feed) index(_ context.Context, s source, _ rest.None) (indexView, error) {
	v := indexView{Version: "3.0.0"}
	add := func(at, comment string, types ...string) {
		for _, t := range types {
			v.Resources = append(v.Resources, resource{at, t, comment})
		}
	}
	add(s.base+"/query", "Search for packages by keyword.",
		"SearchQueryService", "SearchQueryService/3.0.0-beta", "SearchQueryService/3.0.0-rc")
	add(s.base+"/metadata", "Get package metadata.",
		"RegistrationsBaseUrl", "RegistrationsBaseUrl/3.0.0-beta", "RegistrationsBaseUrl/3.0.0-rc")
	add(s.base+"/download", "Get package content (.nupkg).", "PackageBaseAddress/3.0.0")
	if s.publish != "" {
		add(s.publish, "Push packages, and delete (or unlist) them.", "PackagePublish/2.0.0")
		add(s.publish+"/symbolpackage", "Push symbol packages.", "SymbolPackagePublish/4.9.0")
	}
	return v, nil
}

type packageName struct {
	Name string `param:"package_name"`
}

type packageVersion struct {
	packageName
	Version string `param:"package_version"`
}

// version returns the version of the path, which can end in .json.
func (in packageVersion) version() string { return strings.TrimSuffix(in.Version, ".json") }

type versionsView struct {
	Versions []string `json:"versions"`
}

// versions lists the versions of a package.
func (feed) versions(ctx context.Context, s source, in packageName) (versionsView, error) {
	list, err := packages.NugetVersions(ctx, s.Store, s.Feed, in.Name)
	return versionsView{list}, err
}

// versionRange are the bounds of a page of the versions of a package.
type versionRange struct {
	Lower string `param:"lower"`
	Upper string `param:"upper"`
}

type registrationQuery struct {
	packageName
	versionRange
}

// registration answers with all versions of a package and what they say of themselves. Of more than
// a page has, those of the older pages are at the addresses of these, which are this one with the
// bounds of the page.
func (feed) registration(ctx context.Context, s source, in registrationQuery) (any, error) {
	if in.versionRange != (versionRange{}) {
		page, err := packages.NugetPage(ctx, s.Store, s.Feed, in.Name, in.Lower, in.Upper)
		if err != nil {
			return nil, err
		}
		return s.page(in.Name, page), nil
	}
	pages, err := packages.NugetPages(ctx, s.Store, s.Feed, in.Name)
	if err != nil {
		return nil, err
	}
	return s.registration(pages), nil
}

type leafQuery struct {
	packageVersion
	versionRange // of index.json
}

// leaf answers with one version of a package.
func (a feed) leaf(ctx context.Context, s source, in leafQuery) (any, error) {
	if in.version() == "index" { // index.json
		return a.registration(ctx, s, registrationQuery{in.packageName, in.versionRange})
	}
	p, err := packages.ReadNuget(ctx, s.Store, s.Feed, in.Name, in.version())
	if err != nil {
		return nil, err
	}
	return s.leaf(p), nil
}

type searchFeed struct {
	Text       string `param:"q"`
	Skip       int    `param:"skip"`
	Take       int    `param:"take" default:"20"`
	Prerelease bool   `param:"prerelease" default:"true"`
	Level      string `param:"semVerLevel"` // every version is sent, whatever the client says
}

// maxResults is how many packages a search answers with at most.
const maxResults = 30

// search looks for packages by a part of their names.
func (feed) search(ctx context.Context, s source, in searchFeed) (searchView, error) {
	switch {
	case in.Skip < 0:
		return searchView{}, fault.Param("skip is invalid")
	case in.Take < 1:
		return searchView{}, fault.Param("take is invalid")
	}
	list, total, err := packages.FindPackages(ctx, s.Store, s.Feed, packages.Search{
		Text: in.Text, Skip: in.Skip, Take: min(in.Take, maxResults), Prerelease: in.Prerelease,
	})
	if err != nil {
		return searchView{}, err
	}
	return s.results(list, total), nil
}
