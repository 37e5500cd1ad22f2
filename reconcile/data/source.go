package data

import (
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/match"
	"hew/schema"
)

// Sources answers the data sources of a world and shows the world to expressions. It implements
// config.Oracle. It has the concurrency rules of the world.
type Sources struct {
	world *match.World
	all   map[addr.Instance]*source

	deferral match.Deferral // of lists until the instances of blocks are known
}

// New returns the data sources of a world, none of them answered.
func New(w *match.World) *Sources {
	return &Sources{world: w, all: map[addr.Instance]*source{}}
}

// source is a data source and its answer.
type source struct {
	*match.Declaration
	answer answerFunc // nil until it is known
	// overlaid is the declared object whose values replace live ones in the answer; unknown is the
	// number of its unknown values when expressions last saw it.
	overlaid *match.Node
	unknown  int
}

// answerFunc computes an answer by attribute. It is called for each evaluation, because ids become
// known during apply.
type answerFunc func() map[string]cty.Value

// Answer answers all data sources that can be answered so far.
func (s *Sources) Answer() {
	w := s.world
	declared := w.Result().Sources
	for i := range declared {
		at := declared[i].Addr
		if s.all[at] == nil {
			s.all[at] = &source{Declaration: w.Source(at)}
		}
		n := s.all[at]
		s.markIfKnownMore(n)
		if !w.Scope().Includes(at) || n.answer != nil || !w.Resolve(n.Declaration) || n.Status() != match.Pending {
			continue
		}
		switch data := n.Query(); {
		case data.Single:
			n.answer = s.answerSingle(n)
		case data.Named != "" && schema.Stated(n.Desired().Object, data.Named):
			n.answer = s.answerNamed(n)
		default:
			n.answer = s.answerList(n)
		}
		if n.answer != nil || n.Status() == match.Blocked {
			w.MarkStale(at.Block)
			s.deferral.Resume() // other lists may wait for blocks that use it
		}
	}
}

// answerSingle answers with the object that a source looks up.
func (s *Sources) answerSingle(n *source) answerFunc {
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
			return answerPlanned(k, declared)
		}
		ask.ID, ask.Key = r.ID, r.Path
		if name != "id" && r.Path == "" {
			ask.ID, ask.Key = "", r.ID // "42" may be a username
		}
		break
	}
	for i := range k.Attrs {
		ask.Keep = append(ask.Keep, k.Attrs[i].Name)
	}
	reading, ok := w.Lookup(ask)
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
		return s.answerOverlay(n, o)
	}
	return func() map[string]cty.Value { return valuesOf(k, o) }
}

// valuesOf returns the attributes of an object as a source shows them. Attributes that are not set
// are null.
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

// answerPlanned answers with a declared object that does not exist yet.
func answerPlanned(k *schema.Kind, declared *match.Node) answerFunc {
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
			values[a.Name] = config.MarkOrigin(declared.Addr(), cty.UnknownVal(a.Type))
			if v, ok := declared.Desired().Object.Value.Get(a.Name); ok && a.RefKind() == "" {
				values[a.Name] = v
			}
		}
		return values
	}
}

// answerNamed answers with the objects whose names a source is given.
func (s *Sources) answerNamed(n *source) answerFunc {
	d := n.Query()
	of := s.world.Kind(d.Of)
	names, _ := n.Desired().Object.Get(d.Named).UnmarkDeep()
	if !names.IsWhollyKnown() {
		return nil
	}
	var found []item
	all := true
	for _, name := range names.AsValueSlice() {
		r, ok := s.world.Lookup(schema.Ask{Kind: of, Key: name.AsString()})
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
	return func() map[string]cty.Value { return n.listValues(found) }
}

// idValue returns an id as expressions see it: a number if it is one.
func idValue(id string) cty.Value {
	if v, err := cty.ParseNumberVal(id); err == nil {
		return v
	}
	return cty.StringVal(id)
}

// showRef returns a reference as expressions see it: its id, or a list of ids.
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
