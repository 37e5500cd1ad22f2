package reconcile

import (
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/schema"
)

// source is a data source on its way to its answer.
type source struct {
	seeker
	answer reply // nil while it is not known
	// over is what the answer is overlaid with, of which unknown values were not
	// known when expressions last saw it.
	over    *node
	unknown int
}

// reply is an answer by attribute. It is worked out when it is asked for, since
// what it says of things to be created grows as an apply creates them.
type reply func() map[string]cty.Value

// answerSources works out every data source that can be answered by now. Sources over
// collections answer for the planned world: what is live, plus what is
// declared, minus what will be deleted.
func (w *world) answerSources() {
	for i := range w.res.Sources {
		d := &w.res.Sources[i]
		s := w.sources[d.Addr]
		w.refresh(s)
		if !w.narrowing.has(d.Addr) || s.answer != nil || !w.resolve(&s.seeker) || s.status != pending {
			continue
		}
		switch data := s.data(); {
		case data.Single:
			s.answer = w.single(s)
		case data.Named != "" && schema.Stated(s.want.Object, data.Named):
			s.answer = w.named(s)
		default:
			s.answer = w.listing(s)
		}
		if s.answer != nil || s.status == blocked {
			w.news[d.Addr.Block] = true
			w.patience.over = false // what this opens may be what others wait for
		}
	}
}

// single finds the one object a source names.
func (w *world) single(n *source) reply {
	k := n.kind()
	of := w.kind(k.Data.Of)
	ask := schema.Ask{Kind: of}
	for _, name := range k.Data.Keys {
		v := n.want.Object.Get(name)
		if v.IsNull() {
			continue
		}
		r, ok := schema.RefOf(v)
		if !ok {
			return nil
		}
		if declared := w.node(of.Name, w.ref(of.Name, r)); declared != nil && declared.status != matched {
			return w.planned(k, declared)
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
	reading, ok := w.look(ask)
	if !ok {
		return nil
	}
	o, why := there(of, &schema.Ref{ID: ask.ID, Path: ask.Key}, reading)
	if why != "" {
		n.block(why)
		return nil
	}
	w.learn(w.ref(of.Name, schema.Ref{ID: o.ID}), of, o)
	if of.Holds == schema.One {
		return w.overlaid(n, o)
	}
	return func() map[string]cty.Value { return answerOf(k, o) }
}

// answerOf is an object as a source shows it. What the host does not say is
// null.
func answerOf(k *schema.Kind, o schema.Object) map[string]cty.Value {
	values := make(map[string]cty.Value, len(k.Attrs))
	for i := range k.Attrs {
		a := &k.Attrs[i]
		values[a.Name] = cty.NullVal(a.Type)
		if v, ok := o.Value.Get(a.Name); ok {
			values[a.Name] = plainRef(v)
		}
	}
	return values
}

// planned answers for a thing that is declared and not there yet.
func (w *world) planned(k *schema.Kind, declared *node) reply {
	if declared.status != missing {
		return nil
	}
	return func() map[string]cty.Value {
		if declared.live.ID != "" {
			return answerOf(k, declared.live)
		}
		values := make(map[string]cty.Value, len(k.Attrs))
		for i := range k.Attrs {
			a := &k.Attrs[i]
			values[a.Name] = config.Origin(declared.want.Addr, cty.UnknownVal(a.Type))
			if v, ok := declared.want.Object.Value.Get(a.Name); ok && a.RefKind() == "" {
				values[a.Name] = v
			}
		}
		return values
	}
}

// undecided tells whether something of the kind may still turn out to be
// leaving.
func (w *world) undecided(k *schema.Kind) bool {
	for a, o := range w.orphans {
		if o.kind == k && o.fate == unsure && o.err == "" && !w.hidden(a) {
			return true
		}
	}
	return false
}

func isTrue(v cty.Value) bool {
	v, _ = v.Unmark()
	return !v.IsNull() && v.IsKnown() && v.Type() == cty.Bool && v.True()
}

func idValue(id string) cty.Value {
	if v, err := cty.ParseNumberVal(id); err == nil {
		return v
	}
	return cty.StringVal(id)
}

// plainRef shows a reference to expressions as its id, and several as a list.
func plainRef(v cty.Value) cty.Value {
	r := schema.AsRef(v)
	switch {
	case r == nil && v.Type().Equals(cty.List(schema.RefType)):
		var ids []cty.Value
		for _, r := range schema.Refs(v) {
			ids = append(ids, plainRef(schema.RefVal(r)))
		}
		return cty.TupleVal(ids)
	case r == nil:
		return v
	case r.ID != "":
		return idValue(r.ID)
	}
	return cty.UnknownVal(cty.Number)
}
