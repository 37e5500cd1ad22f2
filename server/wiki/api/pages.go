package api

import (
	"context"

	"hew/server/markdown"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/wiki"
)

// pages are the pages of wikis (more-2 §8.3).
type pages struct{}

func (a pages) routes() (routes []rest.Route) {
	for _, h := range holders {
		read, write := h.guard(policy.ReadWiki), h.guard(policy.CreateWiki)
		routes = append(routes,
			rest.Get(h.base, read, a.list),
			rest.Get(h.base+"/{slug}", read, a.show),
			rest.Post(h.base, write, a.create),
			rest.Put(h.base+"/{slug}", write, a.update),
			rest.Delete(h.base+"/{slug}", write, a.delete),
		)
	}
	return routes
}

// pageRow is a page in a list.
type pageRow struct {
	Format wiki.Format `json:"format"`
	Slug   string      `json:"slug"`
	Title  string      `json:"title"`
	MetaID *int64      `json:"wiki_page_meta_id"`
}

// pageView is a page with its content.
type pageView struct {
	pageRow
	Content     string         `json:"content"`
	Encoding    string         `json:"encoding"`
	FrontMatter map[string]any `json:"front_matter"`
}

func rowOf(p wiki.Page) pageRow { return pageRow{p.Format, p.Slug, p.Title, p.MetaID} }

func viewOf(p wiki.Page) pageView {
	return pageView{rowOf(p), p.Content, "UTF-8", p.FrontMatter}
}

type pageList struct {
	WithContent bool `param:"with_content"`
}

// list answers all pages at once, as the public API does.
func (a pages) list(ctx context.Context, s inWiki, in pageList) (any, error) {
	list, err := wiki.List(ctx, s.Store, s.At, in.WithContent)
	if err != nil {
		return nil, err
	}
	views := make([]any, len(list))
	for i, p := range list {
		if views[i] = rowOf(p); in.WithContent {
			views[i] = viewOf(p)
		}
	}
	return views, nil
}

type pageSlug struct {
	Slug string `param:"slug"`
}

type pageShow struct {
	pageSlug
	Version string `param:"version"`
	HTML    bool   `param:"render_html"`
}

func (a pages) show(ctx context.Context, s inWiki, in pageShow) (pageView, error) {
	p, err := wiki.Find(ctx, s.Store, s.At, in.Slug, in.Version)
	v := viewOf(p)
	if err == nil && in.HTML {
		v.Content, err = htmlOf(p)
	}
	return v, err
}

// htmlOf returns the content of a page as HTML. Formats other than Markdown are shown as they are.
func htmlOf(p wiki.Page) (string, error) {
	if p.Format == wiki.Markdown {
		return markdown.HTML(p.Content)
	}
	return markdown.Plain(p.Content), nil
}

type pageNew struct {
	Title   string `param:"title,required,notempty"`
	Content string `param:"content,required,notempty"`
	Format  string `param:"format" default:"markdown" oneof:"markdown rdoc asciidoc org"`
}

func (a pages) create(ctx context.Context, s inWiki, in pageNew) (pageView, error) {
	format := wiki.Format(in.Format)
	p, err := s.Create(ctx, s.Store, wiki.Draft{Title: &in.Title, Content: &in.Content, Format: &format})
	return viewOf(p), err
}

type pageChange struct {
	pageSlug
	_       struct{}         `atleast:"content title format"`
	Content rest.Opt[string] `param:"content,notempty"`
	Title   rest.Opt[string] `param:"title,notempty"`
	Format  rest.Opt[string] `param:"format" oneof:"markdown rdoc asciidoc org"`
}

func (a pages) update(ctx context.Context, s inWiki, in pageChange) (pageView, error) {
	d := wiki.Draft{Title: rest.TextIfGiven(in.Title), Content: rest.TextIfGiven(in.Content)}
	if f, ok := in.Format.Value(); ok {
		format := wiki.Format(f)
		d.Format = &format
	}
	p, err := s.Change(ctx, s.Store, in.Slug, d)
	return viewOf(p), err
}

func (a pages) delete(ctx context.Context, s inWiki, in pageSlug) (rest.None, error) {
	return rest.None{}, s.Delete(ctx, s.Store, in.Slug)
}
