package config

import (
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/schema"
)

// scope returns the scope for n's expressions, in f. It has only what they refer to: an
// object with all resources would have to be built for each of ten thousand blocks.
func (e *Eval) scope(n *node, f *frame) *hcl.EvalContext {
	if len(n.refs) == 0 {
		return n.scope.base
	}
	names := scopeTree{}
	outputs := map[*node][]*node{} // by module block
	for _, r := range n.refs {
		to := r.to
		switch {
		case to.output != nil && to.mod != n.scope:
			outputs[to.mod.call] = append(outputs[to.mod.call], to)
		case to.isCall:
			if outputs[to] == nil {
				outputs[to] = []*node{}
			}
		case to.variable != nil:
			names.put(f.nodeValue(to), "var", to.variable.name)
		case to.block == nil:
			names.put(f.nodeValue(to), "local", to.label)
		case to.block.Addr.Mode == addr.Data:
			names.put(e.blockValue(to, f), "data", to.block.Addr.Kind, to.block.Addr.Name)
		default:
			names.put(e.blockValue(to, f), to.block.Addr.Kind, to.block.Addr.Name)
		}
	}
	for call, outs := range outputs {
		names.put(e.moduleValue(call, f, outs), "module", call.label)
	}
	ctx := n.scope.base.NewChild()
	ctx.Variables = names.objects()
	return ctx
}

// scopeTree has values by the names that lead to them.
type scopeTree map[string]any // a cty.Value or a scopeTree

func (s scopeTree) put(v cty.Value, path ...string) {
	for ; len(path) > 1; path = path[1:] {
		inner, _ := s[path[0]].(scopeTree)
		if inner == nil {
			inner = scopeTree{}
			s[path[0]] = inner
		}
		s = inner
	}
	s[path[0]] = v
}

func (s scopeTree) objects() map[string]cty.Value {
	out := make(map[string]cty.Value, len(s))
	for name, v := range s {
		if inner, ok := v.(scopeTree); ok {
			out[name] = cty.ObjectVal(inner.objects())
		} else {
			out[name] = v.(cty.Value)
		}
	}
	return out
}

// nodeValue returns the value of a local value, a variable or an output in the frame.
func (f *frame) nodeValue(n *node) cty.Value {
	if v := f.state[n.id].value; v != cty.NilVal {
		return v
	}
	return cty.DynamicVal
}

// moduleValue returns what expressions see of a module block: an object with the given
// outputs, or a collection of such objects.
func (e *Eval) moduleValue(call *node, f *frame, outs []*node) cty.Value {
	st := &f.state[call.id]
	switch {
	case st.unexpanded != nil:
		return cty.DynamicVal.Mark(origin{from: st.unexpanded.Addr})
	case call.broken || st.diags.HasErrors():
		return cty.DynamicVal
	}
	return collectInstances(call.repeat, len(st.frames), func(i int) (string, cty.Value) {
		in := st.frames[i]
		vals := make(map[string]cty.Value, len(outs))
		for _, o := range outs {
			vals[o.label] = in.nodeValue(o)
		}
		return in.key, cty.ObjectVal(vals)
	})
}

// collectInstances returns one value, an object of values by key, or a tuple of values.
func collectInstances(r repeat, n int, at func(i int) (key string, v cty.Value)) cty.Value {
	switch {
	case r.forEach != nil:
		objects := make(map[string]cty.Value, n)
		for i := range n {
			key, v := at(i)
			objects[unquoteKey(key)] = v
		}
		return cty.ObjectVal(objects)
	case r.count != nil:
		objects := make([]cty.Value, n)
		for i := range n {
			_, objects[i] = at(i)
		}
		return cty.TupleVal(objects)
	case n == 0:
		return cty.DynamicVal
	}
	_, v := at(0)
	return v
}

// blockValue returns what expressions see of a block: one object, an object of objects by
// key, or a tuple of objects.
func (e *Eval) blockValue(n *node, f *frame) cty.Value {
	st := &f.state[n.id]
	if st.value != cty.NilVal {
		return st.value
	}
	if st.unexpanded != nil {
		st.value = cty.DynamicVal.Mark(origin{from: addr.Instance{Block: n.address(f)}})
		return st.value
	}
	st.value = collectInstances(n.block.repeat, len(st.insts), func(i int) (string, cty.Value) {
		return st.insts[i].Addr.Key, e.instanceValue(&st.insts[i])
	})
	return st.value
}

func unquoteKey(key string) string {
	if s, err := strconv.Unquote(key); err == nil {
		return s
	}
	return key
}

// instanceValue returns an object with the attributes of an instance that expressions use.
func (e *Eval) instanceValue(d *Desired) cty.Value {
	if d.Block.Alias != nil {
		return e.aliasValue(d)
	}
	k := d.Block.Kind
	known := e.lookup(d)
	vals := make(map[string]cty.Value, len(d.Block.mentionedAttrs))
	for i := range k.Attrs {
		a := &k.Attrs[i]
		if !d.Block.mentionedAttrs[a.Name] {
			continue
		}
		vals[a.Name] = d.attributeValue(a, known).Mark(originOf(d, a.Name))
	}
	return cty.ObjectVal(vals)
}

// attributeValue returns the stated value of an attribute, or what the oracle knows, or an
// unknown value.
func (d *Desired) attributeValue(a *schema.Attr, known func(string) (cty.Value, bool)) cty.Value {
	if v, ok := d.Object.Value.Get(a.Name); ok {
		return markOrigins(a, v, d.Origin)
	}
	if v, ok := known(a.Name); ok {
		return v
	}
	return unknownValue(a)
}

// unknownValue returns the value of an attribute that neither the configuration states nor
// the oracle knows. It is null if the host will never return it, as for secrets.
func unknownValue(a *schema.Attr) cty.Value {
	t := a.Type
	if t == cty.NilType {
		t = cty.DynamicPseudoType
	}
	t = t.WithoutOptionalAttributesDeep()
	switch {
	case a.IsSecret() && a.Mode != schema.Computed:
		return cty.NullVal(t).Mark(schema.Secret)
	case a.IsSecret():
		return cty.UnknownVal(t).Mark(schema.Secret)
	case !a.Lasting():
		return cty.NullVal(t)
	}
	return cty.UnknownVal(t)
}

// lookup returns what the oracle knows of an instance, by attribute name. Unstated
// arguments of a data source that was read are null.
func (e *Eval) lookup(d *Desired) func(name string) (cty.Value, bool) {
	if d.Addr.Mode == addr.Data {
		answer, ok := e.oracle.Data(d.Addr, d.Object)
		return func(name string) (cty.Value, bool) {
			v, has := answer[name]
			if ok && !has {
				return cty.NullVal(d.Block.Kind.Attr(name).Type), true
			}
			return v, has
		}
	}
	live := e.oracle.Live(d.Addr)
	return live.Get
}
