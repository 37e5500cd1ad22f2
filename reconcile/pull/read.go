package pull

import (
	"context"
	"slices"

	"hew/schema"
)

// listing is what was read in one container for one kind of block.
type listing struct {
	container *container
	kind      *schema.Kind // of the block; for a set, the objects are of another kind
	objects   []schema.Object
}

// pullBatch reads what is in some containers and writes it. Blocked by the host three times,
// however much there is: for lists, for details and for names.
func (p *puller) pullBatch(ctx context.Context, containers []*container) error {
	found := p.readLists(ctx, containers)
	p.readDetails(ctx, containers, found)
	pages := p.buildPages(containers, found)
	p.resolveNames(ctx, pages)
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, g := range pages {
		if err := p.writePage(g); err != nil {
			return err
		}
	}
	return nil
}

// readLists reads the collections of all chosen kinds.
func (p *puller) readLists(ctx context.Context, containers []*container) (found []*listing) {
	var queries []schema.Query
	for _, s := range containers {
		for _, k := range p.chosen {
			if s.holds(k) {
				of := p.element(k)
				found = append(found, &listing{container: s, kind: k})
				queries = append(queries, schema.Query{Collection: k.In(s.id), Kind: of, Keep: p.arguments(of)})
			}
		}
	}
	replies := p.host.Read(ctx, queries)
	p.retryForbidden(ctx, queries, replies, found)
	for i, r := range replies {
		found[i].objects = r.Objects
		if r.State != schema.Present {
			p.out.omitUnread(found[i].container, found[i].kind, "in "+found[i].container.String(), r)
		}
	}
	return found
}

// holds reports whether the container itself has objects of a kind to write. Nothing in an archived
// container is written, because it cannot be changed.
func (s *container) holds(k *schema.Kind) bool {
	owner := k.Owner()
	switch {
	case s.kind == nil:
		return owner == nil
	case owner == nil || isContainer(k) || s.archived || slices.Contains(s.off, k):
		return false
	}
	return owner.RefKind() == s.kind.Name
}

func (s *container) String() string {
	if s.kind == nil {
		return wholeInstance
	}
	return s.path
}

// element returns the kind of the objects that blocks of a kind declare.
func (p *puller) element(k *schema.Kind) *schema.Kind {
	if k.Set != nil {
		return p.kinds.Resources[k.Set.Element]
	}
	return k
}

// retryForbidden reads forbidden lists again without the attributes that need another request
// (Kind.Invites): a token may see the members of a group, but not its invitations.
func (p *puller) retryForbidden(ctx context.Context, queries []schema.Query, replies []schema.Reading,
	found []*listing) {
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
			p.out.omitUnreadPart(found[i].container, found[i].kind, "in "+found[i].container.String(), "invitations",
				replies[i])
			replies[i] = r
		}
	}
}

// readDetails reads the attributes that lists leave out.
func (p *puller) readDetails(ctx context.Context, containers []*container, found []*listing) {
	var asks []schema.Ask
	var apply []func(schema.Reading)
	for _, s := range containers {
		if s.needsDetails {
			asks = append(asks, schema.Ask{Kind: s.kind, ID: s.id, Keep: p.arguments(s.kind)})
			apply = append(apply, func(r schema.Reading) { p.setDetails(s, r) })
		}
	}
	for _, f := range found {
		for i, o := range f.objects {
			if lacksDetails(o) && f.kind.Set == nil {
				asks = append(asks, schema.Ask{Kind: o.Kind, Owner: f.container.id, ID: o.ID,
					Keep: p.arguments(o.Kind)})
				apply = append(apply, func(r schema.Reading) {
					if len(r.Objects) > 0 {
						f.objects[i] = r.Objects[0]
					} else if r.State != schema.Absent {
						p.out.omitUnread(f.container, o.Kind, title(o)+" in "+f.container.String(), r)
						f.objects[i].State = r.State
					}
				})
			}
		}
	}
	for i, r := range p.host.Find(ctx, asks) {
		apply[i](r)
	}
	for _, f := range found { // an object without its details would be declared wrongly
		f.objects = slices.DeleteFunc(f.objects, func(o schema.Object) bool {
			return o.State == schema.Forbidden || o.State == schema.Unreadable
		})
	}
}

// setDetails completes the block of a container with its details.
func (p *puller) setDetails(s *container, r schema.Reading) {
	if len(r.Objects) == 0 {
		p.out.omitUnread(s, s.kind, s.path, r)
		return
	}
	if it, why := newItem(r.Objects[0]); why == "" {
		s.self.lines, s.self.notes = it.lines, it.notes
	}
}

// lacksDetails reports whether the object has arguments that its list leaves out.
func lacksDetails(o schema.Object) bool {
	for a := range o.Kind.Arguments() {
		if _, known := o.Value.Get(a.Name); a.Detail && !known && !a.IsSecret() && !a.SentOnce() {
			return true
		}
	}
	return false
}
