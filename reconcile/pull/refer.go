package pull

import (
	"cmp"
	"context"
	"strconv"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/rewrite"
	"hew/schema"
)

// index knows what things are written as, and how those are called that are
// not.
type index struct {
	addrs  map[thing]string // of blocks
	called map[thing]string // "" for what was asked for and not found
}

func newIndex() *index { return &index{addrs: map[thing]string{}, called: map[thing]string{}} }

func (x *index) written(t thing, addr string) { x.addrs[t] = addr }

func (x *index) resolved(t thing, name string) { x.called[t] = name }

// page is all that is written of one container.
type page struct {
	at     *container
	items  []*item
	beside *index // what is known by a name within the container alone
}

// pages make items of all that was read, with names.
func (p *puller) pages(containers []*container, found []*reading) (pages []*page) {
	for _, s := range containers {
		g := &page{at: s, beside: newIndex()}
		if s.self != nil {
			g.items = append(g.items, s.self)
		}
		for len(found) > 0 && found[0].at == s {
			f := found[0]
			found = found[1:]
			for _, o := range f.objects {
				g.beside.resolved(thing{o.Kind.Name, o.ID}, title(o))
			}
			items := p.items(f)
			if f.kind.Set != nil && len(items) > 0 {
				items = []*item{p.set(f, items)}
			}
			for _, it := range items {
				p.name(s, it)
				g.note(p.index, it)
			}
			g.items = append(g.items, items...)
		}
		pages = append(pages, g)
	}
	return pages
}

// set is the block for all objects of a list.
func (p *puller) set(f *reading, members []*item) *item {
	owner := f.kind.Owner()
	return &item{
		kind: f.kind, members: members, obj: schema.Object{Kind: f.kind, ID: f.at.id},
		lines: []line{{attr: owner, value: schema.RefVal(&schema.Ref{ID: f.at.id, Path: f.at.path})}},
	}
}

// note has others refer to an object: those beside it, or everybody where it is
// known everywhere.
func (g *page) note(everywhere *index, it *item) {
	x := g.beside
	if it.kind.Owner() == nil {
		x = everywhere
	}
	if it.members == nil {
		x.written(thing{it.kind.Name, it.obj.ID}, it.address())
	}
}

// resolve asks for the names of things that are referred to by nothing but an id.
func (p *puller) resolve(ctx context.Context, pages []*page) {
	var asks []schema.Ask
	for _, g := range pages {
		for _, it := range g.items {
			for _, of := range append(it.members, it) {
				asks = append(asks, p.unresolved(of)...)
			}
		}
	}
	for i, r := range p.host.Find(ctx, asks) {
		if len(r.Objects) > 0 {
			p.index.resolved(thing{asks[i].Kind.Name, asks[i].ID}, fullPath(r.Objects[0]))
		}
	}
}

// unresolved are the asks for those that one object refers to, each once.
func (p *puller) unresolved(it *item) (asks []schema.Ask) {
	for _, l := range it.lines {
		of := p.kinds.Named(l.attr.RefKind())
		if of == nil || of.Tree == nil {
			continue
		}
		for _, r := range schema.Refs(l.value) {
			t := thing{of.Name, r.ID}
			if r.Path != "" {
				p.index.resolved(t, r.Path)
			}
			if _, known := p.index.called[t]; !known && p.index.addrs[t] == "" && r.ID != "" {
				p.index.resolved(t, "")
				asks = append(asks, schema.Ask{Kind: of, ID: r.ID, Keep: []string{}})
			}
		}
	}
	return asks
}

// expression is the value of a line, where it is no secret.
func (p *puller) expression(g *page, l line) string {
	if l.attr.RefKind() == "" {
		return rewrite.Expression(rewrite.Spoken(l.attr, l.value))
	}
	var words []string
	for _, r := range schema.Refs(l.value) {
		words = append(words, p.reference(g, l.attr, r))
	}
	if l.attr.ManyRefs() {
		return rewrite.Enclosed(words, false)
	}
	return words[0]
}

// reference is how one thing is referred to: by its block, else by its name, and
// by its id only where nobody knows that.
func (p *puller) reference(g *page, a *schema.Attr, r *schema.Ref) string {
	t := thing{p.kinds.Named(a.RefKind()).Name, r.ID}
	for _, x := range []*index{p.index, g.beside} {
		if addr := x.addrs[t]; addr != "" {
			return addr + ".id"
		}
	}
	return rewrite.Expression(rewrite.Spoken(&schema.Attr{Ref: &schema.RefRule{Kind: a.RefKind()}}, schema.RefVal(&schema.Ref{ID: r.ID, Path: p.call(g, t, r)})))
}

// call is the name of a thing, "" where nobody knows one that would not be taken
// for an id.
func (p *puller) call(g *page, t thing, r *schema.Ref) string {
	name := cmp.Or(r.Path, p.index.called[t], g.beside.called[t])
	if _, err := strconv.ParseUint(name, 10, 64); err == nil && r.ID != "" {
		return ""
	}
	return name
}

// keyOf is the key of an element in the map of a set.
func (p *puller) keyOf(g *page, s *schema.Set, it *item) string {
	for _, name := range []string{s.Key, s.Mail} {
		switch v := it.obj.Get(name); {
		case name == "" || v.IsNull():
		case schema.AsRef(v) != nil:
			r := schema.AsRef(v)
			return cmp.Or(p.call(g, thing{p.kinds.Named(it.obj.Kind.Attr(name).RefKind()).Name, r.ID}, r), r.ID)
		case v.Type() == cty.String:
			return v.AsString()
		}
	}
	return it.obj.ID
}
