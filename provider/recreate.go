package provider

import (
	"context"
	"fmt"
	"slices"

	"hew/schema"
)

// recreate deletes an object that the host cannot update, and creates it with the
// new values. Between the two requests there is none.
func (w *Write) recreate(ctx context.Context) error {
	w.want.Value = w.want.Value.Clone()
	if live, ok := w.p.findByKey(ctx, w.now); ok {
		for a := range w.kind.Arguments() { // unstated attributes stay as they are
			if v, told := live.Value.Get(a.Name); told && !schema.Stated(w.want, a.Name) {
				w.want.Value.Set(a, v)
			}
		}
	}
	if err := w.p.Delete(ctx, w.now); err != nil {
		return err
	}
	var attrs []*Attr
	for _, name := range w.kind.statedNames(w.want) {
		attrs = append(attrs, w.kind.row(name))
	}
	if err := w.create(attrs)(ctx); err != nil {
		return fmt.Errorf("hosts cannot update a %s; it was deleted, but creating it again failed; the next apply "+
			"creates it: %w", w.kind.Name, err)
	}
	return nil
}

// keyIsTaken reports whether a conflict is about the key. Hosts reject impossible
// shares in the same words, so for those it looks.
func (w *Write) keyIsTaken(ctx context.Context) bool {
	if w.kind.API.Within == "" {
		return true
	}
	_, there := w.p.findByKey(ctx, w.want)
	return there
}

// rereadWithin reads the object from the answer that holds it.
func (w *Write) rereadWithin(ctx context.Context) error {
	now, ok := w.p.findByKey(ctx, w.want)
	if !ok {
		return fmt.Errorf("the host accepted the %s but does not show it", w.kind.Name)
	}
	w.now = now
	return nil
}

// findByKey reads the object that has the key of want.
func (p *Provider) findByKey(ctx context.Context, want schema.Object) (schema.Object, bool) {
	key, value, ok := want.Kind.Match.Key(want)
	if !ok {
		return schema.Object{}, false
	}
	var found schema.Reading
	if t := want.Kind.Tree; t != nil {
		found = p.find(ctx, schema.Ask{Kind: want.Kind, Key: stringOf(want, t.Full)})
	} else {
		q := schema.Query{Collection: want.Kind.In(ownerID(want)), Kind: want.Kind}
		for i := range want.Kind.Attrs {
			q.Keep = append(q.Keep, want.Kind.Attrs[i].Name)
		}
		found = p.list(ctx, q)
	}
	i := slices.IndexFunc(found.Objects, func(o schema.Object) bool {
		return o.State != schema.Moved && key.Equal(o.Get(key.Name), value) && want.Kind.Match.Fits(want, o)
	})
	if i < 0 {
		return schema.Object{}, false
	}
	return found.Objects[i], true
}
