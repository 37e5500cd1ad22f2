package wiki

import (
	"context"
	"fmt"
	"path"
	"strings"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	gittree "hew/server/git/tree"
)

// Page is a page of a wiki.
type Page struct {
	MetaID *int64 // see wiki_pages; nil for pages that only git clients have written
	Slug   string
	Title  string // the last part of the slug, with blanks for dashes
	Format Format

	Content     string // without the front matter; empty in lists without content
	FrontMatter map[string]any

	path string // of the file
	blob object.ID
	text string // the whole file
}

// newPage returns the page that a file is; false if it is none.
func newPage(f gittree.File) (Page, bool) {
	bare, format := splitName(f.Path)
	if format == "" || f.Entry.Mode != object.ModeFile && f.Entry.Mode != object.ModeExecutable {
		return Page{}, false
	}
	slug := strings.ToValidUTF8(slugOf(bare), "\uFFFD")
	return Page{
		Slug: slug, Title: strings.ReplaceAll(path.Base(slug), "-", " "), Format: format, path: f.Path, blob: f.Entry.ID,
	}, true
}

// read fills in what the file of the page says. Git clients can write pages of any size.
func (p *Page) read(ctx context.Context, g *code.Git) error {
	size, err := g.Size(ctx, p.blob)
	if err == nil && size > maxContent {
		err = fault.BadRequest(fmt.Sprintf("The page %q has more than %d MiB of text. "+
			"Clone the repository of the wiki to read or change it.", p.Slug, maxContent>>20)).In(fault.Text)
	}
	if err != nil {
		return err
	}
	o, err := g.Object(ctx, p.blob)
	if err != nil {
		return err
	}
	p.setText(string(o.Data))
	return nil
}

func (p *Page) setText(text string) {
	p.text = text
	p.FrontMatter, p.Content = splitFrontMatter(strings.ToValidUTF8(text, "\uFFFD"))
}

// errNoPage is the fault of a page that does not exist.
func errNoPage() error { return fault.NotFound("Wiki Page") }

// Find returns the page with a slug, as a revision has it; "" is the newest one. The case of
// letters matters only where two slugs differ in nothing else.
func Find(ctx context.Context, st *db.Store, at code.Place, slug, revision string) (Page, error) {
	g, root, err := openAt(ctx, st, at, revision)
	if err != nil {
		return Page{}, err
	}
	p, err := find(ctx, g, root, slug)
	if err != nil {
		return p, err
	}
	if err := p.read(ctx, g); err != nil {
		return p, err
	}
	list := []Page{p}
	err = addMetaIDs(ctx, st, at, list)
	return list[0], err
}

// openAt returns the repository of a wiki and the tree of a revision. A wiki that is empty has the
// empty tree.
func openAt(ctx context.Context, st *db.Store, at code.Place, revision string) (*code.Git, object.ID, error) {
	g, err := at.Open(ctx, st)
	if err != nil {
		return nil, object.ID{}, err
	}
	asked := revision
	if revision == "" {
		asked = "HEAD"
	}
	id, err := g.Resolve(ctx, "Wiki Page", asked)
	if revision == "" && fault.CodeOf(err) == fault.CodeNotFound {
		return g, object.EmptyTree, nil
	}
	if err != nil {
		return nil, id, err
	}
	c, err := g.FindCommit(ctx, "Wiki Page", id)
	return g, c.Tree, err
}

// find looks for the page with a slug below a tree.
func find(ctx context.Context, g *code.Git, root object.ID, slug string) (Page, error) {
	s := search{ctx: ctx, g: g, left: maxSearch}
	p, found, err := s.below(root, "", strings.Split(slugOf(strings.Trim(slug, "/")), "/"))
	if err == nil && !found {
		err = errNoPage()
	}
	return p, err
}

// maxSearch is how many trees a search reads: directories that differ in blanks, dashes and case
// alone can be many.
const maxSearch = 500

// search looks for a page.
type search struct {
	ctx  context.Context
	g    *code.Git
	left int // trees that may still be read
}

// below looks for a page below a directory. parts are the rest of its slug.
func (s *search) below(dir object.ID, prefix string, parts []string) (Page, bool, error) {
	if s.left--; s.left < 0 {
		return Page{}, false, nil
	}
	var ranked [3][]gittree.File // files and directories that match: exactly, as slugs, in any case
	for f, err := range gittree.Walk(s.ctx, s.g, dir, gittree.Options{}) {
		if err != nil {
			return Page{}, false, err
		}
		name := f.Path
		if len(parts) == 1 {
			var format Format
			if name, format = splitName(name); format == "" {
				continue
			}
		}
		if rank, ok := rankOf(name, parts[0]); ok && f.Entry.Mode.IsDir() == (len(parts) > 1) {
			ranked[rank] = append(ranked[rank], f)
		}
	}
	for _, files := range ranked {
		for _, f := range files {
			if len(parts) == 1 {
				if p, ok := newPage(gittree.File{Path: prefix + f.Path, Entry: f.Entry}); ok {
					return p, true, nil
				}
				continue
			}
			p, found, err := s.below(f.Entry.ID, prefix+f.Path+"/", parts[1:])
			if found || err != nil {
				return p, found, err
			}
		}
	}
	return Page{}, false, nil
}

// rankOf reports whether a name is the one that is looked for, and how well it fits: 0 is best.
func rankOf(name, wanted string) (int, bool) {
	switch {
	case name == wanted:
		return 0, true
	case slugOf(name) == wanted:
		return 1, true
	}
	return 2, strings.EqualFold(slugOf(name), wanted)
}
