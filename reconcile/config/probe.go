package config

import (
	"slices"
	"strconv"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"hew/reconcile/addr"
	"hew/schema"
)

// A probe tells which object an unknown reference leads to when functions hide it: try,
// coalesce, join and parseint return unknown values, whichever argument they would choose.
// It is another evaluation, in which each object without an ID has a made-up one. A
// reference that is the made-up ID of the same object in all probes leads to that object,
// whatever became of the ID on the way: no two formulas give the same ID to the same
// instance. Expressions that compare an ID give different answers, and stay unknown.
type probe struct {
	Oracle
	eval       *Eval
	id         func(i int64) int64 // the made-up ID of the i-th object
	idOf       map[addr.Instance]cty.Value
	instanceOf map[string]addr.Instance // by made-up ID
}

// probeIDs make up IDs that floating-point numbers represent exactly. They differ in size, order,
// parity and the number of digits.
var probeIDs = []func(i int64) int64{
	func(i int64) int64 { return 4_100_000_000_000_003 + 7*i },
	func(i int64) int64 { return 820_000_000_000_008 - 11*i },
	func(i int64) int64 { return 2 + 3*i },
}

// preparedProbes returns the probes, which know what the evaluation knows.
func (e *Eval) preparedProbes() []*probe {
	if e.isProbe {
		return nil
	}
	if e.probes == nil {
		for _, id := range probeIDs {
			p := &probe{
				eval: e.cfg.NewEval(), id: id,
				idOf: map[addr.Instance]cty.Value{}, instanceOf: map[string]addr.Instance{},
			}
			p.eval.isProbe = true
			e.probes = append(e.probes, p)
		}
	}
	for _, p := range e.probes {
		p.Oracle = e.oracle
		p.eval.setOracle(p)
		p.eval.setContext(e.ctx)
	}
	return e.probes
}

// Live returns what is known of an instance, with a made-up ID if it has none.
func (p *probe) Live(at addr.Instance) schema.Sparse {
	live := p.Oracle.Live(at)
	if _, known := live.Get("id"); known {
		return live
	}
	kind := p.eval.cfg.kinds.Resource(at.Kind)
	if kind == nil || kind.Attr("id") == nil {
		return live
	}
	id, ok := p.idOf[at]
	if !ok {
		n := p.id(int64(len(p.idOf)))
		id = cty.NumberIntVal(n)
		p.idOf[at], p.instanceOf[strconv.FormatInt(n, 10)] = id, at
	}
	if t := kind.Attr("id").Type; t != cty.NilType {
		id, _ = convert.Convert(id, t)
	}
	live = live.Clone()
	live.Set(kind.Attr("id"), id)
	return live
}

// instance returns an instance of a block, the i-th unless the evaluations differ. It
// returns nil if the probe has no such instance, or has no use for it.
func (p *probe) instance(at addr.Instance, i int) *Desired {
	n := p.eval.cfg.findNode(at.Block)
	if n == nil {
		return nil
	}
	p.eval.evaluateWithDependencies(n)
	n, f := p.eval.findBlock(at.Block)
	if n == nil {
		return nil
	}
	list := f.state[n.id].insts
	if i >= len(list) || list[i].Addr != at {
		i = slices.IndexFunc(list, func(d Desired) bool { return d.Addr == at })
	}
	if i < 0 {
		return nil
	}
	return &list[i]
}

// instanceWithID returns the object whose made-up ID v is, or nil.
func (p *probe) instanceWithID(v cty.Value) *addr.Instance {
	r, _ := schema.RefOf(v)
	if at, ok := p.instanceOf[r.ID]; ok {
		return &at
	}
	return nil
}

// probeReferences returns, from every probe, the references of an argument of the instance
// that d decodes. It returns nil if the probes do not know them either.
func (d *decoder) probeReferences(a *schema.Attr) (lists [][]cty.Value, probes []*probe) {
	probes = d.eval.preparedProbes()
	for _, p := range probes {
		inst := p.instance(d.current, len(d.state.insts))
		if inst == nil {
			return nil, nil
		}
		v, _ := inst.Object.Value.Get(a.Name)
		list := []cty.Value{v}
		switch v, _ = v.Unmark(); {
		case v == cty.NilVal || v.IsNull() || !v.IsKnown():
			return nil, nil
		case a.ManyRefs():
			list = v.AsValueSlice()
		}
		if len(lists) > 0 && len(lists[0]) != len(list) {
			return nil, nil
		}
		lists = append(lists, list)
	}
	return lists, probes
}

// probeOrigins returns the objects that the references of an argument lead to in all probes: nil
// for a reference that leads to none, and nothing if the probes do not know the references either.
func (d *decoder) probeOrigins(a *schema.Attr) (origins []*addr.Instance) {
	lists, probes := d.probeReferences(a)
	if len(lists) == 0 {
		return nil
	}
	for i := range lists[0] {
		origins = append(origins, sameOrigin(lists, probes, i))
	}
	return origins
}

func sameOrigin(lists [][]cty.Value, probes []*probe, i int) (at *addr.Instance) {
	for j, p := range probes {
		from := p.instanceWithID(lists[j][i])
		if from == nil || at != nil && *from != *at {
			return nil
		}
		at = from
	}
	return at
}

// probeElements returns the elements of an unknown list of references. Those that lead to
// objects without an ID are unknown and marked with them. ok is false if the list depends
// on what is not known yet.
func (d *decoder) probeElements(a *schema.Attr) (items []cty.Value, ok bool) {
	lists, probes := d.probeReferences(a)
	if len(lists) == 0 {
		return nil, false
	}
	for i, v := range lists[0] {
		if from := sameOrigin(lists, probes, i); from != nil {
			v = MarkOrigin(*from, cty.DynamicVal)
		} else if !sameReference(lists, i) {
			return nil, false
		}
		items = append(items, v)
	}
	return items, true
}

// sameReference reports whether all probes have the same i-th reference.
func sameReference(lists [][]cty.Value, i int) bool {
	first, known := schema.RefOf(lists[0][i])
	return known && !slices.ContainsFunc(lists, func(l []cty.Value) bool {
		r, _ := schema.RefOf(l[i])
		return r != first
	})
}
