package api

import (
	"context"
	"net/http"
	"regexp"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// branches serves the branches of projects (gaps §9.2).
type branches struct{ *view.Site }

func (a branches) routes() []rest.Route {
	const path, one = "/projects/{id}/repository/branches", "/projects/{id}/repository/branches/{branch}"
	read := scope.ForProject(policy.ReadCode, "read_repository")
	push := scope.ForProject(policy.PushCode)
	return []rest.Route{
		rest.Get(path, read, a.list),
		rest.Get(one, read, a.find),
		rest.Post(path, push, a.create),
		rest.Delete(one, push, a.delete),
		rest.Delete("/projects/{id}/repository/merged_branches", push, a.deleteMerged).Status(http.StatusAccepted),
	}
}

type branchView struct {
	Name               string     `json:"name"`
	Commit             commitView `json:"commit"`
	Merged             bool       `json:"merged"`
	Protected          bool       `json:"protected"`
	DevelopersCanPush  bool       `json:"developers_can_push"`
	DevelopersCanMerge bool       `json:"developers_can_merge"`
	CanPush            bool       `json:"can_push"`
	Default            bool       `json:"default"`
	WebURL             string     `json:"web_url"`
}

// branchViews shows branches of a project to a caller.
type branchViews struct {
	commitViews
	s          scope.InProject
	protection *protect.Protection
	merged     func(code.Branch) bool
	head       string
}

func (a branches) views(ctx context.Context, s scope.InProject, g *code.Git) (branchViews, error) {
	v := branchViews{commitViews: commitViews{a.Site, s.Project.Project}, s: s, head: g.Head}
	merged, err := g.Merged(ctx)
	if err != nil {
		return v, err
	}
	v.merged = func(b code.Branch) bool { return b.Short() != g.Head && merged(b.Commit.ID) }
	v.protection, err = protect.ReadProtection(ctx, s.Store, s.Project.ID, protect.Pusher{Who: s.Who()})
	if err == nil {
		v.s.Collaborates = v.protection.Collaborates()
	}
	return v, err
}

func (v branchViews) view(b code.Branch) branchView {
	name := b.Short()
	protected := v.protection.Protects(protect.Branch, name)
	return branchView{
		Name: name, Commit: v.commitViews.view(b.Commit), Merged: v.merged(b), Protected: protected,
		DevelopersCanPush:  protected && v.protection.MayRole(protect.Push, protect.Branch, name, policy.Developer),
		DevelopersCanMerge: protected && v.protection.MayRole(protect.Merge, protect.Branch, name, policy.Developer),
		CanPush:            v.s.Can(policy.PushBranch) && v.protection.MayPush(name),
		Default:            name == v.head, WebURL: v.Web(v.project.FullPath + "/-/tree/" + name),
	}
}

type branchList struct {
	rest.Keyset `of:"Branch"`
	Search      string `param:"search"`
	Regex       string `param:"regex"`
	Sort        string `param:"sort" default:"name_asc" oneof:"name_asc updated_asc updated_desc"`
	PageToken   string `param:"page_token"` // the last name of the page before
}

// branchSorts are the orders that a list can be asked for.
var branchSorts = map[string]db.Page{
	"name_asc": {Order: "name"}, "updated_asc": {Order: "updated"}, "updated_desc": {Order: "updated", Desc: true},
}

func (a branches) list(ctx context.Context, s scope.InProject, in branchList) (rest.List[branchView], error) {
	none := rest.List[branchView]{}
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return none, err
	}
	views, err := a.views(ctx, s, g)
	if err != nil {
		return none, err
	}
	page := branchSorts[in.Sort]
	page.Limit, page.Offset = in.Limit(), in.Offset()
	f := code.RefFilter{Prefix: code.Heads, Search: in.Search}
	if in.Regex != "" {
		if f.Regex, err = regexp.Compile(in.Regex); err != nil {
			return none, fault.Param("regex is invalid")
		}
	}
	if in.ByKey() {
		f.After, page.Order, page.Desc, page.Offset = in.PageToken, "name", false, 0
	}
	list, err := rest.Pages(views.view)(g.Branches(ctx, f, page))
	list.Next = rest.After(in.Keyset, list.Items, func(last branchView) map[string]string {
		return map[string]string{"page_token": last.Name}
	})
	return list, err
}

type branchName struct {
	Branch string `param:"branch"`
}

func (a branches) show(ctx context.Context, s scope.InProject, in branchName) (branchView, error) {
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return branchView{}, err
	}
	b, err := g.FindBranch(ctx, "Branch", code.Heads+in.Branch)
	if err != nil {
		return branchView{}, err
	}
	views, err := a.views(ctx, s, g)
	if err != nil {
		return branchView{}, err
	}
	return views.view(b), nil
}

// find answers with a branch, and 204 where a client asks no more than whether there is one.
func (a branches) find(ctx context.Context, s scope.InProject, in branchName) (rest.Raw, error) {
	v, err := a.show(ctx, s, in)
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		rest.JSON(http.StatusOK, v).ServeHTTP(w, r)
	}), nil
}

type branchNew struct {
	Branch string `param:"branch,required"`
	Ref    string `param:"ref,required"`
}

func (a branches) create(ctx context.Context, s scope.InProject, in branchNew) (branchView, error) {
	b, err := code.CreateBranch(ctx, s.Store, s.Project.Project, AuthorOf(s), in.Branch, in.Ref)
	if err != nil {
		return branchView{}, err
	}
	return a.show(ctx, s, branchName{b.Short()})
}

func (a branches) delete(ctx context.Context, s scope.InProject, in branchName) (rest.None, error) {
	if in.Branch == "" {
		return rest.None{}, fault.NotFound("Branch")
	}
	return rest.None{}, code.DeleteBranch(ctx, s.Store, s.Project.Project, AuthorOf(s), in.Branch, rest.Unmodified)
}

func (a branches) deleteMerged(ctx context.Context, s scope.InProject, _ rest.None) (rest.None, error) {
	return rest.None{}, code.DeleteMerged(ctx, s.Store, s.Project.Project, AuthorOf(s))
}
