package pull

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"hew/schema"
)

// container is where things are: a group, a project, or, without a kind, the instance.
type container struct {
	kind      *schema.Kind
	id        string
	path, dir string // dir is the path of the group whose file it is in
	file      string
	self      *item // its own block; nil where it has none
	lacks     bool  // its list leaves out details, and so it is read by itself
	frozen    bool
}

// containers finds all that the subject consists of, in the order of the files.
func (p *puller) containers(ctx context.Context, of Subject) ([]*container, error) {
	roots, err := p.roots(ctx, of)
	if err != nil {
		return nil, err
	}
	objs := slices.Concat(roots, p.below(ctx, of, roots))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	containers := p.living(objs)
	slices.SortFunc(containers, func(a, b *container) int {
		return cmp.Or(comparePaths(a.dir, b.dir), comparePaths(a.path, b.path))
	})
	if of.Kind == nil {
		containers = slices.Insert(containers, 0, &container{file: p.names.file(everything)})
	}
	p.names.file(variables)
	files := map[string]string{}
	for _, s := range containers {
		if s.kind == nil {
			continue
		}
		if files[s.dir] == "" {
			files[s.dir] = p.names.file(s.dir)
		}
		s.file = files[s.dir]
		p.index.resolved(thing{s.kind.Name, s.id}, s.path)
		if s.self != nil {
			s.self.name = p.names.block(s.kind, s.path)
			p.index.written(thing{s.kind.Name, s.id}, s.self.address())
		}
	}
	return containers, nil
}

// comparePaths sorts paths part by part, so that what is in a group follows it.
func comparePaths(a, b string) int {
	return slices.Compare(strings.Split(strings.ToLower(a), "/"), strings.Split(strings.ToLower(b), "/"))
}

// roots are the subject itself, or, of the instance, all that is listed at the
// top and below.
func (p *puller) roots(ctx context.Context, of Subject) ([]schema.Object, error) {
	if of.Kind == nil {
		var queries []schema.Query
		for k, d := range p.deep() {
			if d.TopDeep != "" {
				queries = append(queries, schema.Query{Collection: d.In(k, "", true), Kind: k, Keep: p.arguments(k)})
			}
		}
		return p.read(ctx, queries, nil), nil
	}
	r := p.host.Find(ctx, []schema.Ask{{Kind: of.Kind, Key: of.Path, Keep: p.arguments(of.Kind)}})[0]
	switch {
	case r.State == schema.PendingDeletion:
		return nil, fmt.Errorf("%s %s is marked for deletion, so there is nothing to write down of it. Restore it on the host first", of.Kind.Name, of.Path)
	case len(r.Objects) > 0:
		return r.Objects, p.placed(ctx, of, r.Objects[0])
	case r.State == schema.Absent:
		return nil, fmt.Errorf("there is no %s %s on the host, or the token may not see it", of.Kind.Name, of.Path)
	}
	return nil, fmt.Errorf("%s %s cannot be read: %w", of.Kind.Name, of.Path, r.Err)
}

// placed is an error where the subject is in something that nobody can declare it
// in, as users have projects of their own.
func (p *puller) placed(ctx context.Context, of Subject, o schema.Object) error {
	a := of.Kind.Owner()
	in := schema.AsRef(o.Get(a.Name))
	if in == nil || a.RefKind() == of.Kind.Name || !p.chooses(of.Kind) {
		return nil
	}
	if r := p.host.Find(ctx, []schema.Ask{{Kind: p.kinds.Named(a.RefKind()), ID: in.ID, Keep: []string{}}})[0]; r.State != schema.Absent {
		return nil
	}
	return fmt.Errorf("%s is in %s, which is no %s that the token may see, and hew declares a %s in a %s only; -without=%s writes down what is in it",
		of, in, a.RefKind(), of.Kind.Name, a.RefKind(), of.Kind.Name)
}

// below lists what is in the subject at any depth.
func (p *puller) below(ctx context.Context, of Subject, roots []schema.Object) []schema.Object {
	var queries []schema.Query
	var in []string
	for k, d := range p.deep() {
		if of.Kind == nil && d.TopDeep != "" {
			continue
		}
		for _, o := range roots {
			if o.Kind.Name == k.Owner().RefKind() && o.State != schema.PendingDeletion && (of.Kind != nil || top(o)) {
				queries = append(queries, schema.Query{Collection: d.In(k, o.ID, true), Kind: k, Keep: p.arguments(k)})
				in = append(in, fullPath(o))
			}
		}
	}
	return p.read(ctx, queries, in)
}

// deep yields the kinds that others are in, with the sources that list them at any
// depth, as far as they matter.
func (p *puller) deep() iter.Seq2[*schema.Kind, *schema.Data] {
	return func(yield func(*schema.Kind, *schema.Data) bool) {
		for _, name := range p.kinds.SourceNames() {
			d := p.kinds.Sources[name].Data
			k := p.kinds.Resources[d.Of]
			if k != nil && holder(k) && d.Deep != "" && p.matters(k) && !yield(k, d) {
				return
			}
		}
	}
}

// matters tells whether a kind has to be listed: for its own blocks, or for those
// of what is in it.
func (p *puller) matters(k *schema.Kind) bool {
	return slices.ContainsFunc(p.chosen, func(c *schema.Kind) bool {
		return c == k || c.Owner() != nil && c.Owner().RefKind() == k.Name
	})
}

func top(o schema.Object) bool { return schema.AsRef(o.Get(o.Kind.Tree.Owner)) == nil }

// read returns the objects of lists, of what is in something or at the top; one
// that cannot be read is told.
func (p *puller) read(ctx context.Context, queries []schema.Query, in []string) (objs []schema.Object) {
	for i, r := range p.host.Read(ctx, queries) {
		if r.State != schema.Present {
			where := everything
			if in != nil {
				where = in[i]
			}
			p.out.unread(nil, queries[i].Kind, where, r)
		}
		objs = append(objs, r.Objects...)
	}
	return objs
}

// living makes containers of what is not about to be deleted, each once.
func (p *puller) living(objs []schema.Object) (containers []*container) {
	doomed, seen := map[string]bool{}, map[thing]bool{}
	for _, o := range objs {
		if o.State == schema.PendingDeletion {
			doomed[fullPath(o)] = true
		}
	}
	for _, o := range objs {
		full, id := fullPath(o), thing{o.Kind.Name, o.ID}
		if seen[id] {
			continue
		}
		seen[id] = true
		if within(doomed, full) {
			p.out.left(nil, o.Kind, full, "it is marked for deletion, or in something that is")
			continue
		}
		containers = append(containers, p.container(o, full))
	}
	return containers
}

func (p *puller) container(o schema.Object, full string) *container {
	s := &container{kind: o.Kind, id: o.ID, path: full, dir: full, lacks: lacks(o), frozen: o.State == schema.Archived}
	if o.Kind.Owner().RefKind() != o.Kind.Name { // a project is written where its group is
		s.dir = path.Dir(full)
	}
	if !p.chooses(o.Kind) {
		s.lacks = false
		return s
	}
	it, why := stated(o)
	if why != "" {
		p.out.left(s, o.Kind, full, why)
		s.lacks = false
		return s
	}
	it.obj.Value = schema.Sparse{} // what is not said of it, nobody needs
	s.self = it
	return s
}

// within tells whether a path, or one around it, is in a set.
func within(set map[string]bool, full string) bool {
	for ; full != "." && full != "/"; full = path.Dir(full) {
		if set[full] {
			return true
		}
	}
	return false
}

func fullPath(o schema.Object) string { return schema.Text(o.Get(o.Kind.Tree.Full)) }
