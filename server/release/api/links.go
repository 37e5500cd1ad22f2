package api

import (
	"context"

	"hew/server/auth"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/release"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// links serves the links of releases (more-2 §8.2).
type links struct{ *view.Site }

func (a links) routes() []rest.Route {
	const path = "/projects/{id}/releases/{tag_name}/assets/links"
	const one = path + "/{link_id}"
	read, admin := scope.ForProject(policy.ReadRelease, auth.JobScope), scope.ForProject(adminRelease, auth.JobScope)
	return []rest.Route{
		rest.Get(path, read, a.list),
		rest.Get(one, read, a.show),
		rest.Post(path, admin, a.create),
		rest.Put(one, admin, a.update),
		rest.Delete(one, admin, a.delete).Status(200),
	}
}

type linkView struct {
	ID             int64  `json:"id"`
	Name           string `json:"name"`
	URL            string `json:"url"`
	DirectAssetURL string `json:"direct_asset_url"`
	LinkType       string `json:"link_type"`
}

func linkViewOf(site *view.Site, r release.Release, l release.Link) linkView {
	return linkView{l.ID, l.Name, l.URL, r.DirectURL(site.Base, l), l.Type}
}

// view returns how links of the release of a tag are shown.
func (a links) view(s scope.InProject, tag string) func(release.Link) linkView {
	r := release.Release{ProjectID: s.Project.ID, Tag: tag}
	return func(l release.Link) linkView { return linkViewOf(a.Site, r, l) }
}

// find returns the release of the path.
func (in tagName) find(ctx context.Context, s scope.InProject) (release.Release, error) {
	r, err := release.Releases(s.Store, s.Project.ID).One(ctx, release.WithTag(in.Tag))
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = fault.NoRecord()
	}
	return r, err
}

type linkList struct {
	rest.Paging
	tagName
}

func (a links) list(ctx context.Context, s scope.InProject, in linkList) (rest.List[linkView], error) {
	r, err := in.find(ctx, s)
	if err != nil {
		return rest.List[linkView]{}, err
	}
	return rest.Pages(a.view(s, in.Tag))(release.Links(ctx, s.Store, r, scope.PageOf(in.Paging)))
}

type linkID struct {
	tagName
	LinkID int64 `param:"link_id"`
}

func (a links) show(ctx context.Context, s scope.InProject, in linkID) (linkView, error) {
	r, err := in.find(ctx, s)
	if err != nil {
		return linkView{}, err
	}
	return rest.Show(a.view(s, in.Tag))(release.FindLink(ctx, s.Store, r, in.LinkID))
}

// linkNew is a link to be made, on its own or with its release.
type linkNew struct {
	Name string            `param:"name,required"`
	URL  string            `param:"url,required"`
	Path rest.Opt[*string] `param:"direct_asset_path,alias=filepath"`
	Type string            `param:"link_type" default:"other" oneof:"other runbook image package"`
}

func (in linkNew) link() release.Link {
	return release.Link{Name: in.Name, URL: in.URL, Path: pathOf(in.Path.Or(nil)), Type: in.Type}
}

// pathOf returns the path of a link, nil for an empty one.
func pathOf(path *string) *string {
	if path == nil || *path == "" {
		return nil
	}
	return path
}

type linkCreate struct {
	tagName
	linkNew
}

func (a links) create(ctx context.Context, s scope.InProject, in linkCreate) (linkView, error) {
	if err := a.admit(ctx, s, in.tagName); err != nil {
		return linkView{}, err
	}
	return rest.Show(a.view(s, in.Tag))(
		release.CreateLink(ctx, s.Store, s.Project.Project, in.Tag, in.link()))
}

// admit does what the function admit does, but answers as links do if the release does not exist.
func (a links) admit(ctx context.Context, s scope.InProject, tag tagName) error {
	if _, err := tag.find(ctx, s); err != nil {
		return err
	}
	return mayTag(ctx, s, tag.Tag)
}

type linkChange struct {
	linkID
	Name rest.Opt[string]  `param:"name"`
	URL  rest.Opt[string]  `param:"url"`
	Path rest.Opt[*string] `param:"direct_asset_path,alias=filepath"`
	Type rest.Opt[string]  `param:"link_type" oneof:"other runbook image package"`
	_    struct{}          `atleast:"name url"`
}

func (in linkChange) into(l *release.Link) {
	in.Name.Into(&l.Name)
	in.URL.Into(&l.URL)
	if in.Path.Given() {
		l.Path = pathOf(in.Path.Or(nil))
	}
	l.Type = in.Type.Or(l.Type)
}

func (a links) update(ctx context.Context, s scope.InProject, in linkChange) (linkView, error) {
	if err := a.admit(ctx, s, in.tagName); err != nil {
		return linkView{}, err
	}
	return rest.Show(a.view(s, in.Tag))(
		release.ChangeLink(ctx, s.Store, s.Project.Project, in.Tag, in.LinkID, in.into))
}

func (a links) delete(ctx context.Context, s scope.InProject, in linkID) (linkView, error) {
	if err := a.admit(ctx, s, in.tagName); err != nil {
		return linkView{}, err
	}
	return rest.Show(a.view(s, in.Tag))(
		release.DeleteLink(ctx, s.Store, s.Project.Project, in.Tag, in.LinkID))
}
