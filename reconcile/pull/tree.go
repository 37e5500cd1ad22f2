package pull

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// container is a group, a project, or (kind nil) the instance.
type container struct {
	kind            *schema.Kind
	id              string
	path, groupPath string // groupPath names the group whose file the container is written to
	file            string
	self            *item // its own block, nil if it has none
	needsDetails    bool  // its list leaves out details, so it is read again by id
	archived        bool
	off             []*schema.Kind // those that it has turned off
}

// findContainers finds all containers of the subject, in the order of the files.
func (p *puller) findContainers(ctx context.Context, of Subject) ([]*container, error) {
	roots, err := p.readRoots(ctx, of)
	if err != nil {
		return nil, err
	}
	objs := slices.Concat(roots, p.readDescendants(ctx, of, roots))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	containers := p.newContainers(objs)
	slices.SortFunc(containers, func(a, b *container) int {
		return cmp.Or(comparePaths(a.groupPath, b.groupPath), comparePaths(a.path, b.path))
	})
	if of.Kind == nil {
		containers = slices.Insert(containers, 0, &container{file: p.names.file(wholeInstance)})
	}
	p.names.file(variablesFile)
	files := map[string]string{}
	for _, s := range containers {
		if s.kind == nil {
			continue
		}
		if files[s.groupPath] == "" {
			files[s.groupPath] = p.names.file(s.groupPath)
		}
		s.file = files[s.groupPath]
		p.index.setName(objectID{s.kind.Name, s.id}, s.path)
		if s.self != nil {
			s.self.name = p.names.block(s.kind, s.path)
			p.index.setAddress(objectID{s.kind.Name, s.id}, s.self.address())
		}
	}
	return containers, nil
}

// comparePaths compares paths part by part, so that a group is followed by what is in it.
func comparePaths(a, b string) int {
	return slices.Compare(strings.Split(strings.ToLower(a), "/"), strings.Split(strings.ToLower(b), "/"))
}

// readRoots reads the subject itself; for the instance, all containers that are listed from the top
// at any depth.
func (p *puller) readRoots(ctx context.Context, of Subject) ([]schema.Object, error) {
	if of.Kind == nil {
		var queries []schema.Query
		for k, d := range p.nestedSources() {
			if d.TopDeep != "" {
				queries = append(queries, schema.Query{Collection: d.In(k, "", true), Kind: k, Keep: p.arguments(k)})
			}
		}
		return p.readObjects(ctx, queries, nil), nil
	}
	r := p.host.Find(ctx, []schema.Ask{{Kind: of.Kind, Key: of.Path, Keep: p.arguments(of.Kind)}})[0]
	switch {
	case r.State == schema.PendingDeletion:
		return nil, fmt.Errorf("%s %s is marked for deletion. Restore it on the host before you pull it", of.Kind.Name,
			of.Path)
	case len(r.Objects) > 0:
		return r.Objects, p.checkDeclarable(ctx, of, r.Objects[0])
	case r.State == schema.Absent:
		return nil, fmt.Errorf("there is no %s %s on the host, or the token cannot see it. Check the path and the "+
			"token", of.Kind.Name, of.Path)
	}
	return nil, fmt.Errorf("cannot read %s %s: %w", of.Kind.Name, of.Path, r.Err)
}

// checkDeclarable fails if the subject is in something that its kind cannot be declared in, such as
// a project in the namespace of a user.
func (p *puller) checkDeclarable(ctx context.Context, of Subject, o schema.Object) error {
	a := of.Kind.Owner()
	in := schema.AsRef(o.Get(a.Name))
	if in == nil || a.RefKind() == of.Kind.Name || !p.isChosen(of.Kind) {
		return nil
	}
	if r := p.host.Find(ctx, []schema.Ask{{Kind: p.kinds.Named(a.RefKind()), ID: in.ID,
		Keep: []string{}}})[0]; r.State != schema.Absent {
		return nil
	}
	return fmt.Errorf("%[1]s is in %[2]s, which is not a %[3]s that the token can see, and hew manages a %[4]s "+
		"only in a %[3]s. To pull only what is in it, add -without=%[4]s", of, in, a.RefKind(), of.Kind.Name)
}

// readDescendants lists the containers in the subject at any depth.
func (p *puller) readDescendants(ctx context.Context, of Subject, roots []schema.Object) []schema.Object {
	var queries []schema.Query
	var in []string
	for k, d := range p.nestedSources() {
		if of.Kind == nil && d.TopDeep != "" {
			continue
		}
		for _, o := range roots {
			if o.Kind.Name == k.Owner().RefKind() && o.State != schema.PendingDeletion &&
				(of.Kind != nil || isTopLevel(o)) {
				queries = append(queries, schema.Query{Collection: d.In(k, o.ID, true), Kind: k, Keep: p.arguments(k)})
				in = append(in, fullPath(o))
			}
		}
	}
	return p.readObjects(ctx, queries, in)
}

// nestedSources yields the needed container kinds with the data sources that list them at any
// depth.
func (p *puller) nestedSources() iter.Seq2[*schema.Kind, *schema.Data] {
	return func(yield func(*schema.Kind, *schema.Data) bool) {
		for _, name := range p.kinds.SourceNames() {
			d := p.kinds.Sources[name].Data
			k := p.kinds.Resources[d.Of]
			if k != nil && isContainer(k) && d.Deep != "" && p.isNeeded(k) && !yield(k, d) {
				return
			}
		}
	}
}

// isNeeded reports whether containers of a kind must be listed: for their own blocks, or for those
// of what is in them.
func (p *puller) isNeeded(k *schema.Kind) bool {
	return slices.ContainsFunc(p.chosen, func(c *schema.Kind) bool {
		return c == k || c.Owner() != nil && c.Owner().RefKind() == k.Name
	})
}

func isTopLevel(o schema.Object) bool { return schema.AsRef(o.Get(o.Kind.Tree.Owner)) == nil }

// readObjects returns the objects of all lists. in names the containers that are listed, nil for
// the instance; lists that cannot be read go into the summary.
func (p *puller) readObjects(ctx context.Context, queries []schema.Query, in []string) (objs []schema.Object) {
	for i, r := range p.host.Read(ctx, queries) {
		if r.State != schema.Present {
			where := wholeInstance
			if in != nil {
				where = in[i]
			}
			p.out.omitUnread(nil, queries[i].Kind, "in "+where, r)
		}
		objs = append(objs, r.Objects...)
	}
	return objs
}

// newContainers returns one container for each object that is not marked for deletion.
func (p *puller) newContainers(objs []schema.Object) (containers []*container) {
	pendingDeletion, seen := map[string]bool{}, map[objectID]bool{}
	for _, o := range objs {
		if o.State == schema.PendingDeletion {
			pendingDeletion[fullPath(o)] = true
		}
	}
	for _, o := range objs {
		full, id := fullPath(o), objectID{o.Kind.Name, o.ID}
		if seen[id] {
			continue
		}
		seen[id] = true
		if containsPath(pendingDeletion, full) {
			p.out.omitObject(nil, o.Kind, full, "it, or a group around it, is marked for deletion")
			continue
		}
		containers = append(containers, p.newContainer(o, full))
	}
	return containers
}

func (p *puller) newContainer(o schema.Object, full string) *container {
	s := &container{kind: o.Kind, id: o.ID, path: full, groupPath: full, needsDetails: lacksDetails(o),
		archived: o.State == schema.Archived}
	for _, k := range p.chosen {
		if owner := k.Owner(); owner != nil && owner.RefKind() == o.Kind.Name && isOff(k, o) {
			s.off = append(s.off, k)
		}
	}
	if o.Kind.Owner().RefKind() != o.Kind.Name { // a project is written to the file of its group
		s.groupPath = path.Dir(full)
	}
	if !p.isChosen(o.Kind) {
		s.needsDetails = false
		return s
	}
	it, why := newItem(o)
	if why != "" {
		p.out.omitObject(s, o.Kind, full, why)
		s.needsDetails = false
		return s
	}
	it.obj.Value = schema.Sparse{} // not needed any more; saves memory
	s.self = it
	return s
}

// isOff reports whether an owner has turned off a kind.
func isOff(k *schema.Kind, owner schema.Object) bool {
	return slices.ContainsFunc(k.Features, func(name string) bool {
		v := owner.Get(name)
		return !v.IsNull() && (v.RawEquals(cty.False) || v.RawEquals(cty.StringVal("disabled")))
	})
}

// containsPath reports whether set has the path or one of its parents.
func containsPath(set map[string]bool, full string) bool {
	for ; full != "." && full != "/"; full = path.Dir(full) {
		if set[full] {
			return true
		}
	}
	return false
}

func fullPath(o schema.Object) string { return schema.Text(o.Get(o.Kind.Tree.Full)) }
