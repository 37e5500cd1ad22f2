package api

import (
	"context"
	"time"

	"hew/server/auth"
	codeapi "hew/server/code/api"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/release"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// releases serves the releases of projects (more-2 §8.2).
type releases struct{ *view.Site }

func (a releases) routes() []rest.Route {
	const path, one = "/projects/{id}/releases", "/projects/{id}/releases/{tag_name}"
	admin := scope.ForProject(adminRelease, auth.JobScope)
	return []rest.Route{
		rest.Get(path, scope.ForProject(policy.ReadRelease, auth.JobScope), a.list),
		rest.Get(one, forReaders(), a.show),
		rest.Post(path, admin, a.create),
		rest.Put(one, admin, a.update),
		rest.Delete(one, admin, a.delete).Status(200),
	}
}

// forReaders returns a guard that admits callers who may read releases and the code that they are
// of.
func forReaders() rest.Guard[scope.InProject] {
	read := scope.ForProject(policy.ReadCode, auth.JobScope)
	return scope.Unless(read, func(_ context.Context, s scope.InProject) error {
		if !s.Can(policy.ReadRelease) {
			return fault.Forbidden("")
		}
		return nil
	})
}

type releaseList struct {
	rest.Paging
	OrderBy       string     `param:"order_by" default:"released_at" oneof:"released_at created_at"`
	Sort          string     `param:"sort" default:"desc" oneof:"asc desc"`
	HTML          bool       `param:"include_html_description"`
	UpdatedBefore *time.Time `param:"updated_before"`
	UpdatedAfter  *time.Time `param:"updated_after"`
}

func (a releases) list(ctx context.Context, s scope.InProject, in releaseList) (rest.List[releaseView], error) {
	page := scope.PageOf(in.Paging)
	page.Order, page.Desc = in.OrderBy, in.Sort == "desc"
	list, total, err := release.Releases(s.Store, s.Project.ID).
		List(ctx, page, release.Updated(in.UpdatedAfter, in.UpdatedBefore))
	if err != nil {
		return rest.List[releaseView]{}, err
	}
	views, err := a.views(ctx, s, list, in.HTML)
	return rest.Page(views, total, err)
}

// views shows releases of the project of a request.
func (a releases) views(
	ctx context.Context, s scope.InProject, list []release.Release, html bool,
) ([]releaseView, error) {
	at := map[int64]place{s.Project.ID: {s.Project.Project, s.Can}}
	return releaseViews{Site: a.Site, html: html}.of(ctx, s.Store, at, list)
}

// one shows a release of the project of a request.
func (a releases) one(ctx context.Context, s scope.InProject, r release.Release, html bool) (releaseView, error) {
	views, err := a.views(ctx, s, []release.Release{r}, html)
	if err != nil {
		return releaseView{}, err
	}
	return views[0], nil
}

type tagName struct {
	Tag string `param:"tag_name"`
}

type releaseShow struct {
	tagName
	HTML bool `param:"include_html_description"`
}

func (a releases) show(ctx context.Context, s scope.InProject, in releaseShow) (releaseView, error) {
	r, err := release.Releases(s.Store, s.Project.ID).One(ctx, release.WithTag(in.Tag))
	if err != nil {
		return releaseView{}, err
	}
	return a.one(ctx, s, r, in.HTML)
}

// milestoneChoice are the parameters of the milestones of a release.
type milestoneChoice struct {
	Milestones   rest.Opt[[]string] `param:"milestones,comma"`
	MilestoneIDs rest.Opt[[]int64]  `param:"milestone_ids,comma"`
	_            struct{}           `exclusive:"milestones milestone_ids"`
}

func (in milestoneChoice) choice() (c release.MilestoneChoice) {
	if in.Milestones.Given() {
		c.Titles = append([]string{}, in.Milestones.Or(nil)...)
	}
	if in.MilestoneIDs.Given() {
		c.IDs = append([]int64{}, in.MilestoneIDs.Or(nil)...)
	}
	return c
}

type releaseAssets struct {
	Links []linkNew `param:"links"`
}

type releaseNew struct {
	Tag         string              `param:"tag_name,required,notempty"`
	TagMessage  string              `param:"tag_message"`
	Name        rest.Opt[*string]   `param:"name"`
	Description rest.Opt[*string]   `param:"description"`
	Ref         string              `param:"ref"`
	Assets      releaseAssets       `param:"assets"`
	ReleasedAt  rest.Opt[time.Time] `param:"released_at"`
	milestoneChoice
}

func (a releases) create(ctx context.Context, s scope.InProject, in releaseNew) (releaseView, error) {
	n := release.NewRelease{
		Project: s.Project.Project, By: codeapi.AuthorOf(s), Tag: in.Tag, Ref: in.Ref, TagMessage: in.TagMessage,
		Name: in.Name.Or(nil), Description: in.Description.Or(nil), ReleasedAt: in.ReleasedAt.Or(time.Time{}),
		Milestones: in.choice(),
	}
	for _, l := range in.Assets.Links {
		n.Links = append(n.Links, l.link())
	}
	r, err := release.Create(ctx, s.Store, n)
	if err != nil {
		return releaseView{}, err
	}
	return a.one(ctx, s, r, false)
}

type releaseChange struct {
	tagName
	Name        rest.Opt[*string]   `param:"name"`
	Description rest.Opt[*string]   `param:"description"`
	ReleasedAt  rest.Opt[time.Time] `param:"released_at"`
	milestoneChoice
}

func (a releases) update(ctx context.Context, s scope.InProject, in releaseChange) (releaseView, error) {
	if err := admit(ctx, s, in.Tag); err != nil {
		return releaseView{}, err
	}
	choice := in.choice()
	if !in.Name.Given() && !in.Description.Given() && !in.ReleasedAt.Given() && !choice.Given() {
		return releaseView{}, fault.BadRequest("params is empty").In(fault.Text)
	}
	r, err := release.Change(ctx, s.Store, s.Project.Project, in.Tag, choice, func(r *release.Release) {
		in.Name.Into(&r.Name)
		in.Description.Into(&r.Description)
		r.ReleasedAt = in.ReleasedAt.Or(r.ReleasedAt)
	})
	if err != nil {
		return releaseView{}, err
	}
	return a.one(ctx, s, r, false)
}

// admit returns a fault if the tag has no release, or is protected from the caller.
func admit(ctx context.Context, s scope.InProject, tag string) error {
	if _, err := release.Releases(s.Store, s.Project.ID).One(ctx, release.WithTag(tag)); err != nil {
		return err
	}
	return mayTag(ctx, s, tag)
}

// mayTag returns a fault if the tag is protected from the caller.
func mayTag(ctx context.Context, s scope.InProject, tag string) error {
	ok, err := release.MayTag(ctx, s.Store, s.Project.Project, codeapi.AuthorOf(s), tag)
	if err == nil && !ok {
		err = fault.Forbidden("")
	}
	return err
}

func (a releases) delete(ctx context.Context, s scope.InProject, in tagName) (releaseView, error) {
	if err := admit(ctx, s, in.Tag); err != nil {
		return releaseView{}, err
	}
	r, err := release.Delete(ctx, s.Store, s.Project.Project, in.Tag, rest.Unmodified)
	if err != nil {
		return releaseView{}, err
	}
	return a.one(ctx, s, r, false)
}
