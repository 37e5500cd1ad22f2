package code

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/schema/catalogue"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/tree"
)

// NewTag is a tag to be made. With a message it is an annotated one.
type NewTag struct {
	Name, Revision, Message string
}

// CreateTag makes a tag. It returns 405 if the tag exists or the revision does not, and 403 if a
// rule forbids it.
func CreateTag(ctx context.Context, st *db.Store, p tree.Project, by Author, n NewTag) (b Branch, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		g, err := open(ctx, st, p)
		if err != nil {
			return err
		}
		if !catalogue.IsBranchName(n.Name) {
			return refuseTag("Tag name invalid")
		}
		if strings.ContainsRune(n.Message, 0) {
			return refuse("the message contains a NUL")
		}
		id, err := g.Resolve(ctx, "Commit", n.Revision)
		if fault.CodeOf(err) == fault.CodeNotFound {
			return refuseTag("Target " + n.Revision + " is invalid")
		}
		if err != nil {
			return err
		}
		u := Update{Ref: Tags + n.Name, New: id, commit: id}
		if n.Message != "" {
			tag := &object.Tag{
				Object: id, Kind: object.KindCommit, Name: n.Name, Tagger: signatureOf(by.User, time.Now()),
				Message: strings.TrimRight(n.Message, "\n") + "\n",
			}
			u.New = g.keep(object.Object{Kind: object.KindTag, Data: tag.Encode()})
			if err := g.storeMade(ctx); err != nil {
				return err
			}
		}
		if err := g.moveRef(ctx, p, by, u, "Tag "+n.Name+" already exists", refuseTag); err != nil {
			return err
		}
		b, err = g.FindBranch(ctx, "Tag", Tags+n.Name)
		return err
	})
	return b, err
}

// storeMade stores the objects that were made.
func (g *Git) storeMade(ctx context.Context) error {
	objects := make([]object.Object, 0, len(g.made))
	for _, o := range g.made {
		objects = append(objects, o)
	}
	g.st.AfterCommit(func() {
		for _, o := range objects {
			g.storage.objects.keep(g.key(o.ID()), o)
		}
	})
	return g.storeLoose(ctx, objects)
}

// DeleteTag removes a tag, as DeleteBranch does a branch.
func DeleteTag(
	ctx context.Context, st *db.Store, p tree.Project, by Author, name string,
	unless func(context.Context, time.Time) error,
) error {
	return deleteRef(ctx, st, p, by, Tags+name, "Tag", unless)
}

// Annotations returns the objects of annotated tags, nil for other refs, in the order of the refs.
func (g *Git) Annotations(ctx context.Context, refs []Ref) ([]*object.Tag, error) {
	var ids []object.ID
	for _, r := range refs {
		if !r.Peeled.IsZero() {
			ids = append(ids, r.ID)
		}
	}
	if err := g.prefetch(ctx, ids); err != nil {
		return nil, err
	}
	tags := make([]*object.Tag, len(refs))
	for i, r := range refs {
		var err error
		if tags[i], err = g.Annotation(ctx, r); err != nil {
			return nil, err
		}
	}
	return tags, nil
}

// Annotation returns the object of an annotated tag, nil for others.
func (g *Git) Annotation(ctx context.Context, r Ref) (*object.Tag, error) {
	if r.Peeled.IsZero() {
		return nil, nil
	}
	o, err := g.Object(ctx, r.ID)
	if err != nil || o.Kind != object.KindTag {
		return nil, err
	}
	return object.ParseTag(o.Data)
}

// TagName names a tag of a project.
type TagName struct {
	ProjectID int64  `db:"project_id"`
	Name      string `db:"tag_name"` // without refs/tags/
}

// CommitsOfTags returns the commits that tags of any projects point to. A tag that does not exist
// has none.
func CommitsOfTags(ctx context.Context, st *db.Store, tags []TagName) (map[TagName]Commit, error) {
	projects, names := make([]int64, len(tags)), make([]string, len(tags))
	for i, t := range tags {
		projects[i], names[i] = t.ProjectID, t.Name
	}
	rows, err := db.Many[struct {
		TagName
		Commit
	}](ctx, st, `
		select k.project_id, k.tag_name, `+commitColumns+`
		from unnest(@projects::bigint[], @names::text[]) k (project_id, tag_name)
			join repositories r on r.project_id = k.project_id and r.kind = @kind
			join refs t on t.repository_id = r.id and t.name = 'refs/tags/' || k.tag_name
			join commits c on c.repository_id = t.repository_id and c.oid = coalesce(t.peeled, t.oid)`,
		pgx.NamedArgs{"projects": projects, "names": names, "kind": Source})
	commits := make(map[TagName]Commit, len(rows))
	for _, r := range rows {
		commits[r.TagName] = r.Commit
	}
	return commits, err
}

// ReleaseNote is what is shown of the release of a tag. Package release keeps releases.
type ReleaseNote struct {
	TagName     string  `db:"tag" json:"tag_name"`
	Description *string `db:"description" json:"description"`
}

// ReleaseNotes returns the releases of the tags among refs that have one, by the short name.
func (g *Git) ReleaseNotes(ctx context.Context, refs []Ref) (map[string]ReleaseNote, error) {
	names := make([]string, len(refs))
	for i, r := range refs {
		names[i] = r.Short()
	}
	rows, err := db.Many[ReleaseNote](ctx, g.st,
		`select r.tag, r.description from releases r where r.project_id = @project and r.tag = any(@names)`,
		pgx.NamedArgs{"project": g.ProjectID, "names": names})
	notes := make(map[string]ReleaseNote, len(rows))
	for _, n := range rows {
		notes[n.TagName] = n
	}
	return notes, err
}

// TagsByVersion returns a page of the tags in the order of the versions in their names: v1.9 before
// v1.10, and v1.0-rc1 before v1.0. Names without a version come first.
func (g *Git) TagsByVersion(ctx context.Context, f RefFilter, p db.Page) ([]Branch, int, error) {
	names, err := db.Values[string](ctx, g.st, `select t.name from refs t`+f.where(g.Repository).String(),
		f.where(g.Repository).Args)
	if err != nil {
		return nil, 0, err
	}
	slices.SortFunc(names, compareVersions)
	if p.Desc {
		slices.Reverse(names)
	}
	return g.branchesNamed(ctx, names, p)
}
