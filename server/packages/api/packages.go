package api

import (
	"context"
	"slices"

	"hew/server/db"
	"hew/server/packages"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// registry serves the packages of projects and groups, whatever their format (gaps §16.1).
type registry struct{ *view.Site }

func (a registry) routes() []rest.Route {
	const one, files = "/projects/{id}/packages/{package_id}", "/projects/{id}/packages/{package_id}/package_files"
	read, destroy := toRead(readPackage), toWrite(destroyPackage)
	return []rest.Route{
		rest.Get("/projects/{id}/packages", read, a.list),
		rest.Get("/groups/{id}/packages", groupToRead(), a.listInGroup),
		rest.Get(one, read, a.show),
		rest.Delete(one, destroy, a.delete),
		rest.Get(files, read, a.listFiles),
		rest.Delete(files+"/{package_file_id}", destroy, a.deleteFile),
	}
}

// views shows packages of the project of a request.
func (a registry) views(s scope.InProject) packageViews {
	return packageViews{Site: a.Site, withPipelines: map[int64]bool{s.Project.ID: s.Can(policy.ReadPipeline)}}
}

// packageFilter are the parameters that narrow a list of packages.
type packageFilter struct {
	rest.Paging
	Sort               string `param:"sort" default:"asc" oneof:"asc desc"`
	PackageType        string `param:"package_type" oneof:"composer conan debian generic golang helm maven ml_model npm nuget pypi rubygems terraform_module"`
	PackageName        string `param:"package_name"`
	PackageVersion     string `param:"package_version"`
	IncludeVersionless bool   `param:"include_versionless"` // every package here has a version
	Status             string `param:"status" oneof:"default hidden processing error pending_destruction"`
}

func (in packageFilter) filter() packages.Filter {
	return packages.Filter{
		Type: in.PackageType, Name: in.PackageName, Version: in.PackageVersion, Status: in.Status,
	}
}

func (in packageFilter) page(order string) db.Page {
	page := scope.PageOf(in.Paging)
	page.Order, page.Desc = order, in.Sort == "desc"
	return page
}

type packageList struct {
	packageFilter
	OrderBy string `param:"order_by" default:"created_at" oneof:"created_at name version type"`
}

func (a registry) list(ctx context.Context, s scope.InProject, in packageList) (rest.List[packageView], error) {
	list, total, err := packages.Packages(s.Store, s.Project.ID).List(ctx, in.page(in.OrderBy), in.filter().Within)
	if err != nil {
		return rest.List[packageView]{}, err
	}
	views, err := a.views(s).of(ctx, s.Anyone, list)
	return rest.Page(views, total, err)
}

type groupPackageList struct {
	packageFilter
	OrderBy          string `param:"order_by" default:"created_at" oneof:"created_at name version type project_path"`
	ExcludeSubgroups bool   `param:"exclude_subgroups"`
}

func (a registry) listInGroup(
	ctx context.Context, s scope.InGroup, in groupPackageList,
) (rest.List[packageView], error) {
	reader, err := readerOf(ctx, s)
	if err != nil {
		return rest.List[packageView]{}, err
	}
	feed := packages.Feed{GroupID: s.Group.ID, Reader: reader}
	filter := in.filter()
	if in.ExcludeSubgroups {
		filter.DirectlyIn = s.Group.ID
	}
	list, total, err := packages.InGroup(
		ctx, s.Store, feed, filter, in.page(in.OrderBy))
	if err != nil {
		return rest.List[packageView]{}, err
	}
	withPipelines, err := projectsWithPipelines(ctx, s.Anyone, list)
	if err != nil {
		return rest.List[packageView]{}, err
	}
	views, err := packageViews{Site: a.Site, grouped: true, withPipelines: withPipelines}.of(ctx, s.Anyone, list)
	return rest.Page(views, total, err)
}

// projectsWithPipelines returns the projects of packages, with whether the caller may see their
// pipelines.
func projectsWithPipelines(ctx context.Context, s scope.Anyone, list []packages.Package) (map[int64]bool, error) {
	ids := make([]int64, len(list))
	for i, p := range list {
		ids[i] = p.ProjectID
	}
	slices.Sort(ids)
	found, err := tree.ProjectsFor(ctx, s.Store, slices.Compact(ids), s.Caller.ID())
	withPipelines := make(map[int64]bool, len(found))
	for id, p := range found {
		if t := s.Caller.JobToken; t != nil && t.ProjectID != id && p.Settings.CIInboundTokenScope {
			p.Level = 0 // as a job that is not let in: whom a project lists would be a query for each
		}
		withPipelines[id] = scope.InProject{Anyone: s, Project: p}.Can(policy.ReadPipeline)
	}
	return withPipelines, err
}

type packageID struct {
	PackageID int64 `param:"package_id"`
}

func (in packageID) find(ctx context.Context, s scope.InProject) (packages.Package, error) {
	return packages.Packages(s.Store, s.Project.ID).One(ctx, db.ByID(in.PackageID))
}

func (a registry) show(ctx context.Context, s scope.InProject, in packageID) (packageView, error) {
	p, err := in.find(ctx, s)
	if err != nil {
		return packageView{}, err
	}
	others, err := packages.VersionsOf(ctx, s.Store, p)
	if err != nil {
		return packageView{}, err
	}
	views, err := a.views(s).of(ctx, s.Anyone, append([]packages.Package{p}, others...))
	if err != nil {
		return packageView{}, err
	}
	versions := make([]packageVersionView, len(others))
	for i, v := range views[1:] {
		versions[i] = packageVersionView{v.ID, v.Version, v.CreatedAt, v.Tags, v.Pipelines}
	}
	views[0].Versions = &versions
	return views[0], nil
}

func (registry) delete(ctx context.Context, s scope.InProject, in packageID) (rest.None, error) {
	by, err := publisher(ctx, s, destroyPackage)
	if err == nil {
		err = packages.Delete(ctx, s.Store, s.Project.ID, db.ByID(in.PackageID), by, rest.Unmodified)
	}
	return rest.None{}, err
}

type packageFileList struct {
	rest.Paging
	packageID
	OrderBy string `param:"order_by" default:"id" oneof:"id created_at file_name"`
	Sort    string `param:"sort" default:"asc" oneof:"asc desc"`
}

func (a registry) listFiles(
	ctx context.Context, s scope.InProject, in packageFileList,
) (rest.List[fileView], error) {
	none := rest.List[fileView]{}
	p, err := in.find(ctx, s)
	if err != nil {
		return none, err
	}
	page := scope.PageOf(in.Paging)
	page.Order, page.Desc = in.OrderBy, in.Sort == "desc"
	list, total, err := packages.Files(ctx, s.Store, p, page)
	if err != nil {
		return none, err
	}
	views, err := a.views(s).files(ctx, s.Anyone, list)
	return rest.Page(views, total, err)
}

type packageFileID struct {
	packageID
	FileID int64 `param:"package_file_id"`
}

func (registry) deleteFile(ctx context.Context, s scope.InProject, in packageFileID) (rest.None, error) {
	p, err := in.find(ctx, s)
	if err != nil {
		return rest.None{}, err
	}
	by, err := publisher(ctx, s, destroyPackage)
	if err == nil {
		err = packages.DeleteFile(ctx, s.Store, p, by, in.FileID, rest.Unmodified)
	}
	return rest.None{}, err
}
