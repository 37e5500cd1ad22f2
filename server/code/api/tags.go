package api

import (
	"context"
	"strings"
	"time"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// tags serves the tags of projects (spec 1 §4.5).
type tags struct{ *view.Site }

func (a tags) routes() []rest.Route {
	const path, one = "/projects/{id}/repository/tags", "/projects/{id}/repository/tags/{tag_name}"
	read := scope.ForProject(policy.ReadCode, "read_repository")
	push := scope.ForProject(policy.PushCode)
	return []rest.Route{
		rest.Get(path, read, a.list),
		rest.Get(one, read, a.show),
		rest.Post(path, push, a.create),
		rest.Delete(one, push, a.delete),
	}
}

type tagView struct {
	Name      string            `json:"name"`
	Message   *string           `json:"message"` // null unless it is annotated
	Target    string            `json:"target"`
	Commit    commitView        `json:"commit"`
	Release   *code.ReleaseNote `json:"release"` // null also for callers who may not read releases
	Protected bool              `json:"protected"`
	CreatedAt *commitTime       `json:"created_at"`
}

// views shows a page of tags.
func (a tags) views(ctx context.Context, s scope.InProject, g *code.Git, list []code.Branch) ([]tagView, error) {
	protection, err := protect.ReadProtection(ctx, s.Store, s.Project.ID, protect.Pusher{Who: s.Who()})
	if err != nil {
		return nil, err
	}
	refs := make([]code.Ref, len(list))
	for i, b := range list {
		refs[i] = b.Ref
	}
	annotations, err := g.Annotations(ctx, refs)
	if err != nil {
		return nil, err
	}
	notes := map[string]code.ReleaseNote{}
	if s.Can(policy.ReadRelease) {
		if notes, err = g.ReleaseNotes(ctx, refs); err != nil {
			return nil, err
		}
	}
	views := make([]tagView, len(list))
	commits := commitViews{a.Site, s.Project.Project}
	for i, b := range list {
		v := tagView{
			Name: b.Short(), Target: b.Ref.ID.String(), Commit: commits.view(b.Commit),
			Protected: protection.Protects(protect.Tag, b.Short()),
		}
		if note, ok := notes[b.Short()]; ok {
			v.Release = &note
		}
		if annotation := annotations[i]; annotation != nil {
			text := strings.TrimRight(annotation.Message, "\n")
			v.Message = &text
			v.CreatedAt = taggedAt(annotation)
		}
		views[i] = v
	}
	return views, nil
}

// taggedAt returns when an annotated tag was made: nil for one of 2005, which does not say so, and
// the last time that JSON can tell for a later one.
func taggedAt(t *object.Tag) *commitTime {
	when := t.Tagger.When
	switch {
	case when.IsZero():
		return nil
	case when.Year() > 9999:
		when = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	}
	at := commitTime(when)
	return &at
}

type tagList struct {
	rest.Keyset `of:"Tag"`
	OrderBy     string `param:"order_by" default:"updated" oneof:"name updated version"`
	Sort        string `param:"sort" default:"desc" oneof:"asc desc"`
	Search      string `param:"search"`
	PageToken   string `param:"page_token"` // the last name of the page before
}

func (a tags) list(ctx context.Context, s scope.InProject, in tagList) (rest.List[tagView], error) {
	none := rest.List[tagView]{}
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return none, err
	}
	f := code.RefFilter{Prefix: code.Tags, Search: in.Search}
	page := db.Page{Order: in.OrderBy, Desc: in.Sort == "desc", Limit: in.Limit(), Offset: in.Offset()}
	if in.ByKey() { // which has an order of its own: by name
		page.Order, page.Offset, in.OrderBy = "name", 0, "name"
		if page.Desc {
			f.Before = in.PageToken
		} else {
			f.After = in.PageToken
		}
	}
	find := g.Branches
	if in.OrderBy == "version" {
		find = g.TagsByVersion
	}
	list, total, err := find(ctx, f, page)
	if err != nil {
		return none, err
	}
	views, err := a.views(ctx, s, g, list)
	return rest.List[tagView]{Items: views, Total: total, Next: rest.After(in.Keyset, views, tagView.next)}, err
}

// next returns the parameters of the page that begins after the tag.
func (v tagView) next() map[string]string { return map[string]string{"page_token": v.Name} }

type tagName struct {
	TagName string `param:"tag_name"`
}

func (a tags) show(ctx context.Context, s scope.InProject, in tagName) (tagView, error) {
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return tagView{}, err
	}
	b, err := g.FindBranch(ctx, "Tag", code.Tags+in.TagName)
	if err != nil {
		return tagView{}, err
	}
	views, err := a.views(ctx, s, g, []code.Branch{b})
	if err != nil {
		return tagView{}, err
	}
	return views[0], nil
}

type tagNew struct {
	TagName string `param:"tag_name,required"`
	Ref     string `param:"ref,required"`
	Message string `param:"message"`
}

func (a tags) create(ctx context.Context, s scope.InProject, in tagNew) (tagView, error) {
	n := code.NewTag{Name: in.TagName, Revision: in.Ref, Message: in.Message}
	if _, err := code.CreateTag(ctx, s.Store, s.Project.Project, AuthorOf(s), n); err != nil {
		return tagView{}, err
	}
	return a.show(ctx, s, tagName{in.TagName})
}

func (a tags) delete(ctx context.Context, s scope.InProject, in tagName) (rest.None, error) {
	return rest.None{}, code.DeleteTag(ctx, s.Store, s.Project.Project, AuthorOf(s), in.TagName, rest.Unmodified)
}
