package data

import (
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/match"
	"hew/schema"
)

// Sources answers the data sources of a world, and shows the world to
// expressions: it is the oracle that evaluations ask. It is guarded like the
// world.
type Sources struct {
	world *match.World
	all   map[addr.Instance]*source

	waiting bool // a list waits for a block to open
	noWait  bool // lists are answered without waiting
}

// New returns the data sources of a world, none of them answered.
func New(w *match.World) *Sources {
	return &Sources{world: w, all: map[addr.Instance]*source{}}
}

// source is a data source on its way to its answer.
type source struct {
	*match.Seeker
	answer reply // nil while it is not known
	// over is what the answer is overlaid with, of which unknown values were not
	// known when expressions last saw it.
	over    *match.Node
	unknown int
}

// reply returns an answer by attribute. It is worked out when it is asked for,
// since what it says of things to be created grows as an apply creates them.
type reply func() map[string]cty.Value

// Answer works out every data source that can be answered by now. Sources over
// collections answer for the planned world: what is live, plus what is
// declared, minus what will be deleted.
func (s *Sources) Answer() {
	w := s.world
	declared := w.Result().Sources
	for i := range declared {
		at := declared[i].Addr
		if s.all[at] == nil {
			s.all[at] = &source{Seeker: w.Source(at)}
		}
		n := s.all[at]
		s.refresh(n)
		if !w.Scope().Includes(at) || n.answer != nil || !w.Resolve(n.Seeker) || n.Status() != match.Pending {
			continue
		}
		switch data := n.Query(); {
		case data.Single:
			n.answer = s.single(n)
		case data.Named != "" && schema.Stated(n.Desired().Object, data.Named):
			n.answer = s.named(n)
		default:
			n.answer = s.listing(n)
		}
		if n.answer != nil || n.Status() == match.Blocked {
			w.Announce(at.Block)
			s.noWait = false // what this opens may be what others wait for
		}
	}
}

// single finds the one object that a source names.
func (s *Sources) single(n *source) reply {
	w, k := s.world, n.Kind()
	of := w.Kind(k.Data.Of)
	ask := schema.Ask{Kind: of}
	for _, name := range k.Data.Keys {
		v := n.Desired().Object.Get(name)
		if v.IsNull() {
			continue
		}
		r, ok := schema.RefOf(v)
		if !ok {
			return nil
		}
		if declared := w.Target(of.Name, w.Ref(of.Name, r)); declared != nil && declared.Status() != match.Matched {
			return planned(k, declared)
		}
		ask.ID, ask.Key = r.ID, r.Path
		if name != "id" && r.Path == "" {
			ask.ID, ask.Key = "", r.ID // a user may be called 42
		}
		break
	}
	for i := range k.Attrs {
		ask.Keep = append(ask.Keep, k.Attrs[i].Name)
	}
	reading, ok := w.Look(ask)
	if !ok {
		return nil
	}
	o, why := match.ObjectOf(of, &schema.Ref{ID: ask.ID, Path: ask.Key}, reading)
	if why != "" {
		n.Block(why)
		return nil
	}
	w.LearnRef(w.Ref(of.Name, schema.Ref{ID: o.ID}), of, o)
	if of.Holds == schema.One {
		return s.overlay(n, o)
	}
	return func() map[string]cty.Value { return valuesOf(k, o) }
}

// valuesOf returns an object as a source shows it. What the host does not say
// is null.
func valuesOf(k *schema.Kind, o schema.Object) map[string]cty.Value {
	values := make(map[string]cty.Value, len(k.Attrs))
	for i := range k.Attrs {
		a := &k.Attrs[i]
		values[a.Name] = cty.NullVal(a.Type)
		if v, ok := o.Value.Get(a.Name); ok {
			values[a.Name] = showRef(v)
		}
	}
	return values
}

// planned answers for a thing that is declared and not there yet.
func planned(k *schema.Kind, declared *match.Node) reply {
	if declared.Status() != match.Missing {
		return nil
	}
	return func() map[string]cty.Value {
		if live := declared.Live(); live.ID != "" {
			return valuesOf(k, live)
		}
		values := make(map[string]cty.Value, len(k.Attrs))
		for i := range k.Attrs {
			a := &k.Attrs[i]
			values[a.Name] = config.Origin(declared.Addr(), cty.UnknownVal(a.Type))
			if v, ok := declared.Desired().Object.Value.Get(a.Name); ok && a.RefKind() == "" {
				values[a.Name] = v
			}
		}
		return values
	}
}

// named answers with the objects that a source lists by name.
func (s *Sources) named(n *source) reply {
	d := n.Query()
	of := s.world.Kind(d.Of)
	names, _ := n.Desired().Object.Get(d.Named).UnmarkDeep()
	if !names.IsWhollyKnown() {
		return nil
	}
	var found []item
	all := true
	for _, name := range names.AsValueSlice() {
		r, ok := s.world.Look(schema.Ask{Kind: of, Key: name.AsString()})
		if !ok {
			all = false
			continue
		}
		o, why := match.ObjectOf(of, &schema.Ref{Path: name.AsString()}, r)
		if why != "" {
			n.Block(why)
			return nil
		}
		found = append(found, item{match.KeyTitle(o), idValue(o.ID), o})
	}
	if !all {
		return nil
	}
	return func() map[string]cty.Value { return listValues(n.Kind(), d, found) }
}

// idValue returns an id as expressions see it: a number where it is one.
func idValue(id string) cty.Value {
	if v, err := cty.ParseNumberVal(id); err == nil {
		return v
	}
	return cty.StringVal(id)
}

// showRef shows a reference to expressions as its id, and several as a list.
func showRef(v cty.Value) cty.Value {
	r := schema.AsRef(v)
	switch {
	case r == nil && v.Type().Equals(cty.List(schema.RefType)):
		var ids []cty.Value
		for _, r := range schema.Refs(v) {
			ids = append(ids, showRef(schema.RefVal(r)))
		}
		return cty.TupleVal(ids)
	case r == nil:
		return v
	case r.ID != "":
		return idValue(r.ID)
	}
	return cty.UnknownVal(cty.Number)
}
