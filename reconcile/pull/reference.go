package pull

import (
	"cmp"
	"context"
	"strconv"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/rewrite"
	"hew/schema"
)

// index maps objects to their addresses in the configuration, and to the names of those that are
// not in it.
type index struct {
	addresses map[objectID]string // of blocks
	names     map[objectID]string // "" if the host was asked and did not find it
}

func newIndex() *index { return &index{addresses: map[objectID]string{}, names: map[objectID]string{}} }

func (x *index) setAddress(t objectID, addr string) { x.addresses[t] = addr }

func (x *index) setName(t objectID, name string) { x.names[t] = name }

// page is the blocks of one container.
type page struct {
	container *container
	items     []*item
	local     *index // of objects that are known only within the container
}

// buildPages turns all that was read into named items.
func (p *puller) buildPages(containers []*container, found []*listing) (pages []*page) {
	for _, s := range containers {
		g := &page{container: s, local: newIndex()}
		if s.self != nil {
			g.items = append(g.items, s.self)
		}
		for len(found) > 0 && found[0].container == s {
			f := found[0]
			found = found[1:]
			for _, o := range f.objects {
				g.local.setName(objectID{o.Kind.Name, o.ID}, title(o))
			}
			items := p.newItems(f)
			if f.kind.Set != nil && len(items) > 0 {
				items = []*item{p.setItem(f, items)}
			}
			for _, it := range items {
				p.nameItem(s, it)
				g.register(p.index, it)
			}
			g.items = append(g.items, items...)
		}
		pages = append(pages, g)
	}
	return pages
}

// setItem returns the block that declares all objects of a list.
func (p *puller) setItem(f *listing, members []*item) *item {
	owner := f.kind.Owner()
	return &item{
		kind: f.kind, members: members, obj: schema.Object{Kind: f.kind, ID: f.container.id},
		lines: []line{{attr: owner, value: schema.RefVal(&schema.Ref{ID: f.container.id, Path: f.container.path})}},
	}
}

// register lets other blocks refer to an object: those of its container, or all of them if its kind
// has no owner.
func (g *page) register(everywhere *index, it *item) {
	x := g.local
	if it.kind.Owner() == nil {
		x = everywhere
	}
	if it.members == nil {
		x.setAddress(objectID{it.kind.Name, it.obj.ID}, it.address())
	}
}

// resolveNames reads the names of objects that are referred to by id only.
func (p *puller) resolveNames(ctx context.Context, pages []*page) {
	var asks []schema.Ask
	for _, g := range pages {
		for _, it := range g.items {
			for _, of := range append(it.members, it) {
				asks = append(asks, p.nameQueries(of)...)
			}
		}
	}
	for i, r := range p.host.Find(ctx, asks) {
		if len(r.Objects) > 0 {
			p.index.setName(objectID{asks[i].Kind.Name, asks[i].ID}, fullPath(r.Objects[0]))
		}
	}
}

// nameQueries returns the queries for the names that one object needs, each once in a pull.
func (p *puller) nameQueries(it *item) (asks []schema.Ask) {
	for _, l := range it.lines {
		of := p.kinds.Named(l.attr.RefKind())
		if of == nil || of.Tree == nil {
			continue
		}
		for _, r := range schema.Refs(l.value) {
			t := objectID{of.Name, r.ID}
			if r.Path != "" {
				p.index.setName(t, r.Path)
			}
			if _, known := p.index.names[t]; !known && p.index.addresses[t] == "" && r.ID != "" {
				p.index.setName(t, "")
				asks = append(asks, schema.Ask{Kind: of, ID: r.ID, Keep: []string{}})
			}
		}
	}
	return asks
}

// expression returns the value of a line that is not secret.
func (p *puller) expression(g *page, l line) string {
	if l.attr.RefKind() == "" {
		return rewrite.Expression(rewrite.SourceValue(l.attr, l.value))
	}
	var words []string
	for _, r := range schema.Refs(l.value) {
		words = append(words, p.reference(g, l.attr, r))
	}
	if l.attr.ManyRefs() {
		return rewrite.Enclose(words, false)
	}
	return words[0]
}

// reference returns the expression for an object: its block's id, else its name, else its id.
func (p *puller) reference(g *page, a *schema.Attr, r *schema.Ref) string {
	t := objectID{p.kinds.Named(a.RefKind()).Name, r.ID}
	for _, x := range []*index{p.index, g.local} {
		if addr := x.addresses[t]; addr != "" {
			return addr + ".id"
		}
	}
	return rewrite.Expression(rewrite.SourceValue(&schema.Attr{Ref: &schema.RefRule{Kind: a.RefKind()}},
		schema.RefVal(&schema.Ref{ID: r.ID, Path: p.nameOf(g, t, r)})))
}

// nameOf returns the name of an object, "" if there is none or if it would be read as an id.
func (p *puller) nameOf(g *page, t objectID, r *schema.Ref) string {
	name := cmp.Or(r.Path, p.index.names[t], g.local.names[t])
	if _, err := strconv.ParseUint(name, 10, 64); err == nil && r.ID != "" {
		return ""
	}
	return name
}

// memberKey returns the key of an element in the map of a set.
func (p *puller) memberKey(g *page, s *schema.Set, it *item) string {
	for _, name := range []string{s.Key, s.Mail} {
		switch v := it.obj.Get(name); {
		case name == "" || v.IsNull():
		case schema.AsRef(v) != nil:
			r := schema.AsRef(v)
			return cmp.Or(p.nameOf(g, objectID{p.kinds.Named(it.obj.Kind.Attr(name).RefKind()).Name, r.ID}, r), r.ID)
		case v.Type() == cty.String:
			return v.AsString()
		}
	}
	return it.obj.ID
}
