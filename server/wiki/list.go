package wiki

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	gittree "hew/server/git/tree"
)

// The limits of a list. The public API lists all pages at once.
const (
	maxPages   = 10_000
	maxEntries = 100_000  // files and directories that are looked at
	maxContent = 64 << 20 // bytes of all pages together
	readAhead  = 100      // pages that are read at once
)

// List returns all pages of a wiki in the order of their files.
func List(ctx context.Context, st *db.Store, at code.Place, withContent bool) (pages []Page, err error) {
	g, root, err := openAt(ctx, st, at, "")
	if err != nil {
		return nil, err
	}
	entries := 0
	for f, err := range gittree.Walk(ctx, g, root, gittree.Options{Recursive: true}) {
		if err != nil {
			return nil, err
		}
		if p, ok := newPage(f); ok {
			pages = append(pages, p)
		}
		if entries++; entries > maxEntries || len(pages) > maxPages {
			return nil, fault.BadRequest(fmt.Sprintf("The wiki has more than %d pages or %d files, too many to list. "+
				"Clone its repository instead.", maxPages, maxEntries)).In(fault.Text)
		}
	}
	if withContent {
		if err := readAll(ctx, g, pages); err != nil {
			return nil, err
		}
	}
	return pages, addMetaIDs(ctx, st, at, pages)
}

// readAll fills in what the files of pages say.
func readAll(ctx context.Context, g *code.Git, pages []Page) error {
	left := maxContent
	for batch := range slices.Chunk(pages, readAhead) {
		ids := make([]object.ID, len(batch))
		for i, p := range batch {
			ids[i] = p.blob
		}
		size, err := g.RowSize(ctx, ids)
		if err == nil && size <= int64(left) { // else one by one, which ends at the first that is too much
			err = g.Prefetch(ctx, ids)
		}
		if err != nil {
			return err
		}
		for i := range batch {
			if err := batch[i].read(ctx, g); err != nil {
				return err
			}
			if left -= len(batch[i].text); left < 0 {
				return fault.BadRequest(fmt.Sprintf("The pages have more than %d MiB of text together. "+
					"List them without with_content, and get them one by one.", maxContent>>20)).In(fault.Text)
			}
			batch[i].text = ""
		}
	}
	return nil
}

// addMetaIDs fills in the ids of pages.
func addMetaIDs(ctx context.Context, st *db.Store, at code.Place, pages []Page) error {
	if len(pages) == 0 {
		return nil
	}
	slugs := make([]string, len(pages))
	for i, p := range pages {
		slugs[i] = p.Slug
	}
	w := db.NewWhere(nil)
	at.Within(w, "t")
	w.And(`t.slug = any(@slugs)`, slugs)
	rows, err := db.Many[struct {
		ID   int64  `db:"id"`
		Slug string `db:"slug"`
	}](ctx, st, `select t.id, t.slug from wiki_pages t`+w.String(), w.Args)
	if err != nil {
		return err
	}
	ids := make(map[string]int64, len(rows))
	for _, r := range rows {
		ids[r.Slug] = r.ID
	}
	for i := range pages {
		if id, ok := ids[pages[i].Slug]; ok {
			pages[i].MetaID = &id
		}
	}
	return nil
}

// storeMeta gives a page an id, or the page that was renamed its new slug. Rows of pages that git
// clients have removed or renamed may be in the way.
func storeMeta(ctx context.Context, st *db.Store, at code.Place, was string, p *Page) error {
	if len(p.Slug) > maxSlug {
		return nil // written by a git client
	}
	args := pgx.NamedArgs{"group": at.NamespaceID, "project": at.ProjectID, "was": was, "slug": p.Slug}
	if was != "" && was != p.Slug {
		if err := removeMeta(ctx, st, at, p.Slug); err != nil {
			return err
		}
		if err := st.Exec(ctx, `
			update wiki_pages set slug = @slug, updated_at = now()
			where (namespace_id = @group or project_id = @project) and slug = @was`, args); err != nil {
			return err
		}
	}
	conflict := `(project_id, slug)`
	if at.NamespaceID != nil {
		conflict = `(namespace_id, slug)`
	}
	id, err := db.Value[int64](ctx, st, `
		insert into wiki_pages (namespace_id, project_id, slug) values (@group, @project, @slug)
		on conflict `+conflict+` do update set updated_at = now() returning id`, args)
	p.MetaID = &id
	return err
}

// removeMeta forgets the id of a page.
func removeMeta(ctx context.Context, st *db.Store, at code.Place, slug string) error {
	return st.Exec(ctx, `
		delete from wiki_pages where (namespace_id = @group or project_id = @project) and slug = @slug`,
		pgx.NamedArgs{"group": at.NamespaceID, "project": at.ProjectID, "slug": slug})
}
