package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"hew/server/auth"
	"hew/server/db"
	"hew/server/packages"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// feedSegments are the names of the feed in addresses: that of the specification, and that which
// clients know.
var feedSegments = []string{"pkgfeed", "nuget"}

// feed serves packages to clients of .NET: version 3 of their protocol in JSON, and of version 2
// what they need of its XML (spec 1 §4.1, gaps §11).
type feed struct {
	*view.Site
	log     *slog.Logger
	segment string
}

// source is the feed of a project or a group that a request is for.
type source struct {
	scope.Anyone
	packages.Feed
	base    string // the address that the request was sent to, up to the name of the feed
	publish string // where packages are published; empty in a group
	sums    string // the header Symbolchecksum
	wanted  string // the parameter id in the query, which in the path is that of the project
}

func (a feed) routes() []rest.Route {
	project, group := "/projects/{id}/packages/"+a.segment, "/groups/{id}/-/packages/"+a.segment
	open, openGroup := a.open(), a.openGroup()
	read := asked(scope.As(toRead(readPackage), a.inProject))
	readGroup := asked(a.inGroup())
	upload := asked(toWrite(createPackage))
	publish := func(path string, symbols bool) rest.Route {
		return rest.Put(path, upload, a.publish(symbols)).
			WithoutTransaction().Status(http.StatusCreated).Limit(maxUpload).Timeout(transferTime)
	}
	routes := []rest.Route{
		publish(project, false), publish(project+"/v2", false), publish(project+"/symbolpackage", true),
		rest.Delete(project+"/{package_name}/{package_version}", asked(toWrite(destroyPackage)), a.delete).Priority(),
		rest.Delete(project+"/v2/{package_name}/{package_version}", asked(toWrite(destroyPackage)), a.delete),
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

// open returns a guard that admits everybody to what a project says of its feed. The service
// documents need no token, and tell nothing but addresses.
func (a feed) open() rest.Guard[source] {
	return rest.Guard[source]{Need: "anyone", Open: func(ctx context.Context, r *http.Request) (source, error) {
		caller := scope.Anyone{Store: db.From(ctx), Caller: auth.From(ctx)}
		p, err := scope.FindProject(ctx, caller, r.PathValue("id"))
		s := a.inProject(p)
		s.sums, s.wanted = r.Header.Get("Symbolchecksum"), r.URL.Query().Get("id")
		return s, err
	}}
}

func (a feed) openGroup() rest.Guard[source] {
	return rest.Guard[source]{Need: "anyone", Open: func(ctx context.Context, r *http.Request) (source, error) {
		caller := scope.Anyone{Store: db.From(ctx), Caller: auth.From(ctx)}
		g, err := scope.FindGroup(ctx, caller, r.PathValue("id"))
		s := a.ofGroup(g)
		s.sums = r.Header.Get("Symbolchecksum")
		return s, err
	}}
}

// inProject returns the feed of a project.
func (a feed) inProject(p scope.InProject) source {
	base := fmt.Sprintf("%s/api/v4/projects/%d/packages/%s", a.Base, p.Project.ID, a.segment)
	return source{Anyone: p.Anyone, Feed: packages.Feed{ProjectID: p.Project.ID}, base: base, publish: base}
}

func (a feed) ofGroup(g scope.InGroup) source {
	base := fmt.Sprintf("%s/api/v4/groups/%d/-/packages/%s", a.Base, g.Group.ID, a.segment)
	return source{Anyone: g.Anyone, Feed: packages.Feed{GroupID: g.Group.ID}, base: base}
}

// inGroup returns a guard of the feed of a group, with what the caller may read there.
func (a feed) inGroup() rest.Guard[source] {
	group := groupToRead()
	return rest.Guard[source]{Need: group.Need, Open: func(ctx context.Context, r *http.Request) (source, error) {
		g, err := group.Open(ctx, r)
		if err != nil {
			return source{}, err
		}
		s := a.ofGroup(g)
		s.Reader, err = readerOf(ctx, g)
		return s, err
	}}
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
	add(s.base+"/metadata", "What packages say of themselves.",
		"RegistrationsBaseUrl", "RegistrationsBaseUrl/3.0.0-beta", "RegistrationsBaseUrl/3.0.0-rc")
	add(s.base+"/download", "The content of packages (.nupkg).", "PackageBaseAddress/3.0.0")
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

// registration answers with all versions of a package and what they say of themselves.
func (feed) registration(ctx context.Context, s source, in packageName) (registrationView, error) {
	list, err := packages.NugetPackages(ctx, s.Store, s.Feed, in.Name)
	if err != nil {
		return registrationView{}, err
	}
	return s.registration(list), nil
}

// leaf answers with one version of a package.
func (a feed) leaf(ctx context.Context, s source, in packageVersion) (any, error) {
	if in.version() == "index" { // index.json
		return a.registration(ctx, s, in.packageName)
	}
	p, err := packages.FindNuget(ctx, s.Store, s.Feed, in.Name, in.version())
	if err != nil {
		return nil, err
	}
	return s.leaf(p), nil
}

type searchFeed struct {
	Text       string `param:"q"`
	Skip       int    `param:"skip" min:"0"`
	Take       int    `param:"take" default:"20" min:"1"`
	Prerelease bool   `param:"prerelease" default:"true"`
	Level      string `param:"semVerLevel"` // every version is sent, whatever the client says
}

// maxResults is how many packages a search answers with at most.
const maxResults = 30

// search looks for packages by a part of their names.
func (feed) search(ctx context.Context, s source, in searchFeed) (searchView, error) {
	list, total, err := packages.FindPackages(ctx, s.Store, s.Feed, packages.Search{
		Text: in.Text, Skip: in.Skip, Take: min(in.Take, maxResults), Prerelease: in.Prerelease,
	})
	if err != nil {
		return searchView{}, err
	}
	return s.results(list, total), nil
}
