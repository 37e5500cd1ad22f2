package work

import (
	"cmp"
	"context"
	"net/url"
	"strconv"
	"unicode/utf8"

	"hew/server/db"
	"hew/server/markdown"
	"hew/server/note"
	"hew/server/tree"
	"hew/server/upload"
)

// textCopy copies texts of issues of a project to another project or a group, where they go on
// meaning the same: references to what the user sees get the path that they need there, and the
// uploads of the project are copied along with the links to them. Code stays as it is.
type textCopy struct {
	from    tree.Project
	to      Place
	into    db.Container // of the place
	by      tree.User
	uploads map[upload.Link]string // the secrets of the copies so far
}

// newTextCopy returns a copy of texts into a group or project with a full path.
func newTextCopy(from tree.Project, into db.Container, path string, by tree.User) *textCopy {
	return &textCopy{
		from: from, to: Place{Path: path, Group: into.NamespaceID != nil}, into: into, by: by,
		uploads: map[upload.Link]string{},
	}
}

// description returns the description that a copy of an issue has.
func (c *textCopy) description(ctx context.Context, st *db.Store, i Issue) (*string, error) {
	if i.Description == nil {
		return nil, nil
	}
	texts, err := c.rewrite(ctx, st, []string{*i.Description}, maxDescription)
	if err != nil {
		return nil, err
	}
	return &texts[0], nil
}

// notes copies the notes of an issue.
func (c *textCopy) notes(ctx context.Context, st *db.Store, i Issue, to note.Target) error {
	rewrite := func(ctx context.Context, st *db.Store, bodies []string) ([]string, error) {
		return c.rewrite(ctx, st, bodies, note.MaxBody)
	}
	return note.Copy(ctx, st, i.Target(), to, rewrite)
}

// rewrite returns texts as they are to be in the other place. One that would get longer than a
// limit, in characters, stays as it is.
func (c *textCopy) rewrite(ctx context.Context, st *db.Store, texts []string, limit int) ([]string, error) {
	if c.from.FullPath == c.to.Path {
		return texts, nil
	}
	spots, all := make([][]markdown.Spot, len(texts)), []markdown.Spot(nil)
	for n, text := range texts {
		spots[n] = markdown.Spots(text)
		all = append(all, spots[n]...)
	}
	exists, err := ViewerOf(c.by).existing(ctx, st, Place{Path: c.from.FullPath}, all)
	if err != nil {
		return nil, err
	}
	if err := c.copyUploads(ctx, st, all); err != nil {
		return nil, err
	}
	copies := make([]string, len(texts))
	for n, text := range texts {
		copies[n] = markdown.Replace(text, spots[n], func(s markdown.Spot) (string, bool) {
			if s.Upload.Name != "" {
				secret, ok := c.uploads[linkOf(s.Upload)]
				return secret, ok
			}
			path := c.pathOf(s.Reference)
			return path, exists[s.Reference] && path != s.Reference.Path
		})
		if utf8.RuneCountInString(copies[n]) > limit {
			copies[n] = text
		}
	}
	return copies, nil
}

// pathOf returns the path that a reference of the project needs in the other place.
func (c *textCopy) pathOf(r markdown.Reference) string {
	at := Place{Path: c.from.FullPath}
	if r.Kind != markdown.Epic {
		return c.to.relative(at.resolve(r.Path))
	}
	group := cmp.Or(r.Path, at.group())
	if group == c.to.group() {
		return ""
	}
	return group
}

// copyUploads copies the uploads that spots link to and that are not copied yet.
func (c *textCopy) copyUploads(ctx context.Context, st *db.Store, spots []markdown.Spot) error {
	var links []upload.Link
	for _, s := range spots {
		link := linkOf(s.Upload)
		if _, known := c.uploads[link]; link.Name != "" && !known {
			c.uploads[link] = link.Secret // until it is found
			links = append(links, link)
		}
	}
	copied, err := upload.Copy(ctx, st, c.from.Container(), c.into, links)
	for link, secret := range copied {
		c.uploads[link] = secret
	}
	return err
}

func linkOf(u markdown.Upload) upload.Link {
	name, err := url.PathUnescape(u.Name)
	if err != nil {
		name = u.Name
	}
	return upload.Link{Secret: u.Secret, Name: name}
}

// maxExisting is how many different references of a kind are looked up for a copy. Those after them
// stay as they are.
const maxExisting = 10_000

// existing returns which references of a place name what is there and the viewer sees.
func (v Viewer) existing(
	ctx context.Context, st *db.Store, at Place, spots []markdown.Spot,
) (map[markdown.Reference]bool, error) {
	seen, byKind := map[markdown.Reference]bool{}, map[markdown.Kind][]markdown.Reference{}
	for _, s := range spots {
		if r := s.Reference; r.Kind != 0 && !seen[r] && len(byKind[r.Kind]) < maxExisting {
			seen[r], byKind[r.Kind] = true, append(byKind[r.Kind], r)
		}
	}
	found := map[markdown.Reference]bool{}
	for kind, list := range byKind {
		paths, names, numbers := make([]string, len(list)), make([]string, len(list)), make([]int64, len(list))
		for n, r := range list {
			paths[n], names[n], numbers[n] = at.lookupPath(r), r.Name, r.Number
			if r.Name != "" {
				numbers[n], _ = strconv.ParseInt(r.Name, 10, 64) // 0 is the number of nothing
			}
		}
		args := v.Args()
		args["paths"], args["names"], args["numbers"] = paths, names, numbers
		places, err := db.Many[struct {
			At int `db:"at"`
		}](ctx, st, `
			select x.at::int from unnest(@paths::text[], @names::text[], @numbers::bigint[]) with ordinality
			    as x(path, name, number, at)
			join routes r on r.key = x.path and not r.former left join projects p on p.id = r.project_id
			join namespaces n on n.id = coalesce(p.namespace_id, r.namespace_id)
			where `+v.existence(kind), args)
		if err != nil {
			return nil, err
		}
		for _, place := range places {
			found[list[place.At-1]] = true
		}
	}
	return found, nil
}

// existence returns the condition that a name or number x of a kind names something in a project p
// of a namespace n, or in a group n.
func (v Viewer) existence(kind markdown.Kind) string {
	const inProject = `t.project_id = p.id and t.iid = x.number`
	switch kind {
	case markdown.Issue:
		return `(` + v.seesIssues() + `) and exists (
			select from issues t where ` + inProject + ` and (` + v.seesConfidential() + `))`
	case markdown.MergeRequest:
		return v.SeesMergeRequests() + ` and exists (select from merge_requests t where ` + inProject + `)`
	case markdown.Epic:
		return `p.id is null and (` + v.seesEpics() + `) and exists (
			select from epics t where t.namespace_id = n.id and t.iid = x.number and (` + v.seesConfidentialEpics() + `))`
	}
	table, named := `labels`, `t.name = x.name or t.id = x.number`
	if kind == markdown.Milestone {
		table, named = `milestones`, `t.title = x.name or `+inProject
	}
	return `(` + v.seesIssues() + `) and exists (select from ` + table + ` t
		where (t.project_id = p.id or t.namespace_id = any(n.traversal_ids)) and (` + named + `))`
}
