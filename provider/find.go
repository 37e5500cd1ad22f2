package provider

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"hew/provider/client"
	"hew/schema"
)

// Find looks up single objects in parallel, by id, full path or username. An object
// that has another path by now is Moved, and its Note is the new path.
func (p *Provider) Find(ctx context.Context, asks []schema.Ask) []schema.Reading {
	readings := make([]schema.Reading, len(asks))
	batches := map[*Kind][]int{} // asks with keys other than paths, looked up together
	var single []int
	for i, ask := range asks {
		switch k, err := p.kind(ask.Kind); {
		case err != nil:
			readings[i] = schema.Reading{State: schema.Unreadable, Err: err}
		case ask.ID == "" && k.API.Lookup != nil:
			batches[k] = append(batches[k], i)
		default:
			single = append(single, i)
		}
	}
	for k, batch := range batches {
		some := make([]schema.Ask, len(batch))
		for n, i := range batch {
			some[n] = asks[i]
		}
		for n, r := range k.API.Lookup(ctx, p, some) {
			readings[batch[n]] = r
		}
	}
	runParallel(len(single), func(n int) { readings[single[n]] = p.find(ctx, asks[single[n]]) })
	return readings
}

func (p *Provider) find(ctx context.Context, ask schema.Ask) schema.Reading {
	k, err := p.kind(ask.Kind)
	if err != nil {
		return schema.Reading{State: schema.Unreadable, Err: err}
	}
	at := schema.Object{Kind: ask.Kind, ID: ask.ID}
	if ask.ID == "" {
		if k.Tree == nil && k.Holds != schema.One {
			err := fmt.Errorf("a %s cannot be found by %q, only by its id", k.Name, ask.Key)
			return schema.Reading{State: schema.Unreadable, Err: err}
		}
		at.ID = strings.Trim(ask.Key, "/")
		if at.ID != "" && strings.Trim(at.ID, "0123456789") == "" {
			return p.findNumbered(ctx, ask, at.ID)
		}
	}
	if a := k.Owner(); a != nil && ask.Owner != "" {
		at.Value.Set(a, schema.RefVal(&schema.Ref{ID: ask.Owner}))
	}
	if ask.ID != "" && !k.hasItem() {
		return p.findInList(ctx, ask)
	}
	raw, reply, err := p.get(ctx, k, at)
	if err == nil {
		raw, err = p.addLists(ctx, k, at, ask.Keep, raw)
	}
	switch {
	case client.IsUnsupported(err):
		return unsupportedReading(k, err)
	case client.IsNotFound(err) || err == nil && isNull(raw):
		if k.API.Mistaken != nil {
			if err := k.API.Mistaken(ctx, p, at.ID); err != nil {
				return schema.Reading{State: schema.Unreadable, Err: err}
			}
		}
		return schema.Reading{State: schema.Absent}
	case err != nil:
		return failedReading(k, err)
	}
	o, err := p.decoder(k, ask.Owner, ask.Keep).object(raw)
	if err != nil {
		return schema.Reading{State: schema.Unreadable, Err: err}
	}
	return singleReading(o, at.ID, reply.Moved != "")
}

// findNumbered finds an object whose path is all digits. Hosts would take it for an
// id, so it is looked up in the list of top-level objects, the only ones with such
// paths.
func (p *Provider) findNumbered(ctx context.Context, ask schema.Ask, full string) schema.Reading {
	top := ask.Kind.In("")
	if top.Path == "" { // the kind is never at the top level
		return schema.Reading{State: schema.Absent}
	}
	top.Query = url.Values{"all_available": {"true"}, "top_level_only": {"true"}, "search": {full}}.Encode()
	r := p.list(ctx, schema.Query{Collection: top, Kind: ask.Kind, Keep: []string{}})
	if r.State != schema.Present {
		return r
	}
	for _, o := range r.Objects {
		if stringOf(o, ask.Kind.Tree.Full) == full {
			return p.find(ctx, schema.Ask{Kind: ask.Kind, ID: o.ID, Keep: ask.Keep})
		}
	}
	return schema.Reading{State: schema.Absent}
}

// findInList finds an object by id in the list of its owner.
func (p *Provider) findInList(ctx context.Context, ask schema.Ask) schema.Reading {
	r := p.list(ctx, schema.Query{Collection: ask.Kind.In(ask.Owner), Kind: ask.Kind, Keep: ask.Keep})
	if r.Err != nil {
		return r
	}
	i := slices.IndexFunc(r.Objects, func(o schema.Object) bool { return o.ID == ask.ID })
	if i < 0 {
		return schema.Reading{State: schema.Absent}
	}
	return schema.Reading{State: r.Objects[i].State, Objects: r.Objects[i : i+1]}
}

// singleReading returns the reading of one object that was asked for by key.
func singleReading(o schema.Object, key string, redirected bool) schema.Reading {
	if t := o.Kind.Tree; redirected && t != nil {
		if full := stringOf(o, t.Full); !strings.EqualFold(full, key) {
			o.State, o.Note = schema.Moved, full
		}
	}
	r := schema.Reading{State: o.State, Objects: []schema.Object{o}}
	if o.State == schema.PendingDeletion || o.State == schema.Archived {
		r.Err = fmt.Errorf("%s %s is %s", o.Kind.Name, key, o.Note)
	}
	return r
}

// stringOf returns a string attribute of the object, or "".
func stringOf(o schema.Object, attr string) string {
	v, _ := o.Get(attr).Unmark()
	if v.IsNull() || !v.IsKnown() {
		return ""
	}
	return v.AsString()
}
