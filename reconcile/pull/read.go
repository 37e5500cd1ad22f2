package pull

import (
	"context"
	"slices"

	"hew/schema"
)

// reading is what was read for one kind of block in one container.
type reading struct {
	at      *container
	kind    *schema.Kind // of blocks; those of a set are about objects of another
	objects []schema.Object
}

// visit reads what is in some containers and writes it down. Three times at most it
// waits for the host, whatever there is: for lists, for details, for names.
func (p *puller) visit(ctx context.Context, containers []*container) error {
	found := p.lists(ctx, containers)
	p.details(ctx, containers, found)
	pages := p.pages(containers, found)
	p.resolve(ctx, pages)
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, g := range pages {
		if err := p.write(g); err != nil {
			return err
		}
	}
	return nil
}

// lists reads the collections of all chosen kinds.
func (p *puller) lists(ctx context.Context, containers []*container) (found []*reading) {
	var queries []schema.Query
	for _, s := range containers {
		for _, k := range p.chosen {
			if s.has(k) {
				of := p.element(k)
				found = append(found, &reading{at: s, kind: k})
				queries = append(queries, schema.Query{Collection: k.In(s.id), Kind: of, Keep: p.arguments(of)})
			}
		}
	}
	replies := p.host.Read(ctx, queries)
	p.again(ctx, queries, replies, found)
	for i, r := range replies {
		found[i].objects = r.Objects
		if r.State != schema.Present {
			p.out.unread(found[i].at, found[i].kind, found[i].at.String(), r)
		}
	}
	return found
}

// has tells whether things of a kind are in the container itself. Nothing is written of
// what is in something frozen: nobody could change it.
func (s *container) has(k *schema.Kind) bool {
	owner := k.Owner()
	switch {
	case s.kind == nil:
		return owner == nil
	case owner == nil || holder(k) || s.frozen:
		return false
	}
	return owner.RefKind() == s.kind.Name
}

func (s *container) String() string {
	if s.kind == nil {
		return everything
	}
	return s.path
}

// element is the kind of the objects that blocks of a kind are about.
func (p *puller) element(k *schema.Kind) *schema.Kind {
	if k.Set != nil {
		return p.kinds.Resources[k.Set.Element]
	}
	return k
}

// again reads lists that may not be read whole without what leads elsewhere: who
// may see members may not always see who is invited.
func (p *puller) again(ctx context.Context, queries []schema.Query, replies []schema.Reading, found []*reading) {
	var at []int
	var less []schema.Query
	for i, r := range replies {
		q := queries[i]
		leads := func(name string) bool { return q.Kind.Invites(q.Kind.Attr(name)) }
		if r.State == schema.Forbidden && slices.ContainsFunc(q.Keep, leads) {
			q.Keep = slices.DeleteFunc(slices.Clone(q.Keep), leads)
			at, less = append(at, i), append(less, q)
		}
	}
	for n, r := range p.host.Read(ctx, less) {
		if i := at[n]; r.State == schema.Present {
			p.out.unreadIn(found[i].at, found[i].kind, found[i].at.String(), "who is invited", replies[i])
			replies[i] = r
		}
	}
}

// details reads what lists leave out, of what is written.
func (p *puller) details(ctx context.Context, containers []*container, found []*reading) {
	var asks []schema.Ask
	var take []func(schema.Reading)
	for _, s := range containers {
		if s.lacks {
			asks = append(asks, schema.Ask{Kind: s.kind, ID: s.id, Keep: p.arguments(s.kind)})
			take = append(take, func(r schema.Reading) { p.retake(s, r) })
		}
	}
	for _, f := range found {
		for i, o := range f.objects {
			if lacks(o) && f.kind.Set == nil {
				asks = append(asks, schema.Ask{Kind: o.Kind, Owner: f.at.id, ID: o.ID, Keep: p.arguments(o.Kind)})
				take = append(take, func(r schema.Reading) {
					if len(r.Objects) > 0 {
						f.objects[i] = r.Objects[0]
					} else if r.State != schema.Absent {
						p.out.unread(f.at, o.Kind, f.at.String()+" "+title(o), r)
						f.objects[i].State = r.State
					}
				})
			}
		}
	}
	for i, r := range p.host.Find(ctx, asks) {
		take[i](r)
	}
	for _, f := range found { // half of a thing is not what it is
		f.objects = slices.DeleteFunc(f.objects, func(o schema.Object) bool {
			return o.State == schema.Forbidden || o.State == schema.Unreadable
		})
	}
}

// retake says of a container what all of it comes to.
func (p *puller) retake(s *container, r schema.Reading) {
	if len(r.Objects) == 0 {
		p.out.unread(s, s.kind, s.path, r)
		return
	}
	if it, why := stated(r.Objects[0]); why == "" {
		s.self.lines, s.self.notes = it.lines, it.notes
	}
}

// lacks tells whether an object may have details that its list leaves out.
func lacks(o schema.Object) bool {
	for a := range o.Kind.Arguments() {
		if _, told := o.Value.Get(a.Name); a.Detail && !told && !a.IsSecret() && !a.SentOnce() {
			return true
		}
	}
	return false
}
