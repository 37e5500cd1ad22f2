package wiki

import (
	"context"
	"fmt"
	"path"
	"strings"

	"hew/server/code"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/setting"
	"hew/server/tree"
)

// Draft is what a page is to be. A field of an existing page that is nil stays as it is.
type Draft struct {
	Title   *string // with directories, between slashes
	Content *string
	Format  *Format
}

// Writer is who changes the wiki of a project or group.
type Writer struct {
	At    code.Place
	Group *tree.Group // of the wiki of a group
	By    code.Author
}

// PageChanged is emitted after a page was changed by the API, in the transaction that does it.
type PageChanged struct {
	Writer
	Action  string // create, update, delete
	Page    Page
	Message string // of the commit
	Version object.ID
	Head    string // the branch
}

// The actions of PageChanged.
const (
	created = "create"
	updated = "update"
	deleted = "delete"
)

// Create makes a page. The draft has a title and a content; without a format it is Markdown.
func (w Writer) Create(ctx context.Context, st *db.Store, d Draft) (Page, error) {
	title, format := squish(*d.Title), Markdown
	if d.Format != nil {
		format = *d.Format
	}
	if err := checkTitle(title); err != nil {
		return Page{}, err
	}
	if err := checkContent(ctx, st, *d.Content); err != nil {
		return Page{}, err
	}
	p := pageCalled(title, format)
	p.setText(*d.Content)
	return w.commit(ctx, st, created, p, "", func(g *code.Git, root object.ID) (Page, []code.Action, error) {
		return p, []code.Action{{Do: "create", Path: p.path, Content: d.Content}}, refuseTaken(ctx, g, root, p, "")
	})
}

// Change changes the page with a slug.
func (w Writer) Change(ctx context.Context, st *db.Store, slug string, d Draft) (Page, error) {
	was, err := findExactly(ctx, st, w.At, slug)
	if err != nil {
		return was, err
	}
	title := strings.TrimSuffix(was.path, path.Ext(was.path))
	if d.Title != nil {
		title = retitle(title, *d.Title)
		if err := checkTitle(title); err != nil {
			return Page{}, err
		}
	}
	if d.Content != nil {
		if err := checkContent(ctx, st, *d.Content); err != nil {
			return Page{}, err
		}
	}
	return w.commit(ctx, st, updated, was, was.Slug, func(g *code.Git, root object.ID) (Page, []code.Action, error) {
		old, err := find(ctx, g, root, was.Slug) // it may have been changed since
		if err == nil {
			err = old.read(ctx, g)
		}
		if err != nil {
			return old, nil, err
		}
		p, action := old.edit(d, title)
		if p.path != old.path {
			err = refuseTaken(ctx, g, root, p, old.path)
		}
		return p, []code.Action{action}, err
	})
}

// edit returns the page as a draft makes it, and how its file changes. title is that of the draft
// in full.
func (p Page) edit(d Draft, title string) (Page, code.Action) {
	next, format := p, p.Format
	if d.Format != nil {
		format = *d.Format
	}
	if d.Title != nil || format != p.Format {
		ext := path.Ext(p.path)
		next = pageCalled(title, format)
		if format == p.Format { // .markdown stays .markdown
			next.path = slugOf(title) + ext
		}
		if d.Title == nil { // blanks in the name of a file that a git client made
			next.path = title + path.Ext(next.path)
		}
	}
	text := p.text
	if d.Content != nil {
		text = *d.Content
	}
	next.setText(text)
	if next.path == p.path {
		return next, code.Action{Do: "update", Path: p.path, Content: &text}
	}
	return next, code.Action{Do: "move", Path: next.path, PreviousPath: p.path, Content: d.Content}
}

// findExactly returns the page with a slug that is to be changed. Unlike a page that is read, it
// must have the slug in the same case.
func findExactly(ctx context.Context, st *db.Store, at code.Place, slug string) (Page, error) {
	p, err := Find(ctx, st, at, slug, "")
	if err == nil && p.Slug != slugOf(strings.Trim(slug, "/")) {
		err = errNoPage()
	}
	return p, err
}

// Delete removes the page with a slug.
func (w Writer) Delete(ctx context.Context, st *db.Store, slug string) error {
	was, err := findExactly(ctx, st, w.At, slug)
	if err != nil {
		return err
	}
	_, err = w.commit(ctx, st, deleted, was, was.Slug, func(g *code.Git, root object.ID) (Page, []code.Action, error) {
		p, err := find(ctx, g, root, was.Slug)
		if err == nil {
			err = p.read(ctx, g)
		}
		return p, []code.Action{{Do: "delete", Path: p.path}}, err
	})
	return err
}

// pageCalled returns the page of a title, with its directories.
func pageCalled(title string, f Format) Page {
	slug := slugOf(title)
	return Page{
		Slug: slug, Title: strings.ReplaceAll(path.Base(slug), "-", " "), Format: f, path: slug + "." + extensionOf(f),
	}
}

// checkContent returns what is wrong with the content of a page.
func checkContent(ctx context.Context, st *db.Store, content string) error {
	settings, err := setting.Read(ctx, st)
	if most := settings.WikiPageMaxBytes; err == nil && most > 0 && len(content) > most {
		err = fault.Invalid("content", fmt.Sprintf("is too long (%d bytes). The maximum size is %d bytes.",
			len(content), most))
	}
	return err
}

// refuseTaken refuses a page whose slug another file than the one at the path except has.
func refuseTaken(ctx context.Context, g *code.Git, root object.ID, p Page, except string) error {
	other, err := find(ctx, g, root, p.Slug)
	switch {
	case fault.CodeOf(err) == fault.CodeNotFound:
		return nil
	case err != nil:
		return err
	case other.Slug != p.Slug || other.path == except: // the slugs differ in case
		return nil
	}
	return fault.Invalid("title", fmt.Sprintf("is taken: the page %q exists already", p.Slug))
}

// commit makes a commit that changes a page, which has the slug was before, and announces it.
func (w Writer) commit(
	ctx context.Context, st *db.Store, action string, about Page, was string,
	edit func(g *code.Git, root object.ID) (Page, []code.Action, error),
) (p Page, err error) {
	e := PageChanged{Writer: w, Action: action}
	e.Message = fmt.Sprintf("%s %s page: %s", w.By.User.Username, strings.TrimSuffix(action, "e")+"ed", about.Title)
	err = st.Tx(ctx, func(st *db.Store) error {
		made, err := code.CommitFiles(ctx, st, w.At, code.FileCommit{
			By: w.By, Message: e.Message,
			Edit: func(ctx context.Context, g *code.Git, base code.Commit) (actions []code.Action, err error) {
				root := base.Tree
				if base.ID.IsZero() {
					root = object.EmptyTree
				}
				e.Head = g.Head
				p, actions, err = edit(g, root)
				return actions, err
			},
		})
		if err != nil {
			return err
		}
		if action == deleted {
			err = removeMeta(ctx, st, w.At, was)
		} else {
			err = storeMeta(ctx, st, w.At, was, &p)
		}
		if err != nil {
			return err
		}
		e.Page, e.Version = p, made.ID
		return event.Emit(ctx, st, e)
	})
	return p, err
}
