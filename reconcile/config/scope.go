package config

import (
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/schema"
)

// scope holds what the node's expressions refer to and nothing else: an object
// of all resources would be built anew for each of ten thousand blocks.
func (e *Eval) scope(n *node) *hcl.EvalContext {
	if len(n.refs) == 0 {
		return e.cfg.base
	}
	locals := map[string]cty.Value{}
	kinds := [2]map[string]map[string]cty.Value{addr.Resource: {}, addr.Data: {}}
	for _, r := range n.refs {
		if r.to.block == nil {
			locals[r.to.name[len("local."):]] = e.value(r.to)
			continue
		}
		a := r.to.block.Addr
		if kinds[a.Mode][a.Kind] == nil {
			kinds[a.Mode][a.Kind] = map[string]cty.Value{}
		}
		kinds[a.Mode][a.Kind][a.Name] = e.value(r.to)
	}
	vars := make(map[string]cty.Value, 2+len(kinds[addr.Resource]))
	for kind, names := range kinds[addr.Resource] {
		vars[kind] = cty.ObjectVal(names)
	}
	if len(locals) > 0 {
		vars["local"] = cty.ObjectVal(locals)
	}
	if len(kinds[addr.Data]) > 0 {
		data := map[string]cty.Value{}
		for kind, names := range kinds[addr.Data] {
			data[kind] = cty.ObjectVal(names)
		}
		vars["data"] = cty.ObjectVal(data)
	}
	ctx := e.cfg.base.NewChild()
	ctx.Variables = vars
	return ctx
}

// value is the node as expressions see it: one object, or objects by key, or
// a tuple of them by index.
func (e *Eval) value(n *node) cty.Value {
	st := &e.state[n.id]
	if st.value != cty.NilVal {
		return st.value
	}
	b := n.block
	switch {
	case b == nil:
		return cty.DynamicVal
	case st.closed != nil:
		st.value = cty.DynamicVal.Mark(origin{from: addr.Instance{Block: b.Addr}})
	case b.forEach != nil:
		objects := make(map[string]cty.Value, len(st.insts))
		for i := range st.insts {
			objects[unquoteKey(st.insts[i].Addr.Key)] = e.object(&st.insts[i])
		}
		st.value = cty.ObjectVal(objects)
	case b.count != nil:
		objects := make([]cty.Value, len(st.insts))
		for i := range st.insts {
			objects[i] = e.object(&st.insts[i])
		}
		st.value = cty.TupleVal(objects)
	default:
		st.value = e.object(&st.insts[0])
	}
	return st.value
}

func unquoteKey(key string) string {
	if s, err := strconv.Unquote(key); err == nil {
		return s
	}
	return key
}

// object is an instance with all attributes that anything is after: what is
// stated, else what the oracle knows, else unknown.
func (e *Eval) object(d *Desired) cty.Value {
	k := d.Block.Kind
	known := e.lookup(d)
	vals := make(map[string]cty.Value, len(d.Block.mentioned))
	for i := range k.Attrs {
		a := &k.Attrs[i]
		if !d.Block.mentioned[a.Name] {
			continue
		}
		v, ok := d.Object.Value.Get(a.Name)
		switch {
		case ok:
			if from, is := d.Origin[a.Name]; is {
				v = Origin(from, v)
			}
		default:
			if v, ok = known(a.Name); !ok {
				v = unstated(a)
			}
		}
		vals[a.Name] = v.Mark(origin{d.Addr, identifies(k, a.Name) && d.Addr.Mode == addr.Resource})
	}
	return cty.ObjectVal(vals)
}

// unstated is an attribute of which neither configuration nor host has said
// anything. Secrets that nobody stated will never be known.
func unstated(a *schema.Attr) cty.Value {
	t := a.Type
	if t == cty.NilType {
		t = cty.DynamicPseudoType
	}
	t = t.WithoutOptionalAttributesDeep()
	switch {
	case a.Secret && a.Mode != schema.Computed:
		return cty.NullVal(t).Mark(schema.Secret)
	case a.Secret:
		return cty.UnknownVal(t).Mark(schema.Secret)
	}
	return cty.UnknownVal(t)
}

// lookup asks the oracle about an instance, once.
func (e *Eval) lookup(d *Desired) func(name string) (cty.Value, bool) {
	if d.Addr.Mode == addr.Data {
		answer, ok := e.oracle.Data(d.Addr, d.Object)
		return func(name string) (cty.Value, bool) {
			v, has := answer[name]
			return v, ok && has
		}
	}
	live := e.oracle.Live(d.Addr)
	return live.Get
}
