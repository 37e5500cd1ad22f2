package rewrite

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/plan"
	"hew/schema"
)

// set adopts what others have made of the elements of a set: values that are
// different, elements that are gone, and strangers.
func (w *writer) set(set addr.Instance, changes []plan.Change) {
	var drift []*plan.Change
	for i := range changes {
		if changes[i].Drifted() {
			drift = append(drift, &changes[i])
		}
	}
	block := w.cfg.Block(set.Block)
	if len(drift) == 0 || block == nil {
		return
	}
	why := w.cfg.Shared(block)
	var s site
	if why == "" {
		s, why = w.find(block.Range(block.Kind.Set.Attr))
	}
	e, literal := s.expr.(*hclsyntax.ObjectConsExpr)
	if why == "" && !literal {
		_, why = constant(s.expr)
	}
	m := members{writer: w, site: s, kind: block.Kind, whole: e}
	if why == "" {
		m.r = rewriting{src: s.src, same: alike}
		m.bracket, m.keys, why = m.r.object(e)
	}
	for _, c := range drift {
		m.element(c, why)
	}
	m.finish()
}

// members is a map of elements that is rewritten.
type members struct {
	*writer
	site
	kind    *schema.Kind // the set's
	whole   *hclsyntax.ObjectConsExpr
	r       rewriting
	bracket bracket
	keys    []string
	moving  []Value // elements that come and go
}

// element adopts one of them; why keeps all of them from that.
func (m *members) element(c *plan.Change, why string) {
	v := Value{Addr: c.Addr, At: declared(c)}
	if c.Desired != nil {
		v.At = c.Desired.Range("") // the entry as a whole
	}
	if c.Stray {
		v.Live = m.entry(c)
	}
	i := m.index(c.Addr.Elem)
	switch {
	case why != "":
	case c.Stray && i >= 0:
		why = "there is an entry of that name"
	case !c.Stray && i < 0:
		why = "no line says it"
	}
	switch {
	case c.Stray && why == "":
		m.bracket.come = append(m.bracket.come, quotedLike(m.whole, m.src, c.Addr.Elem)+" = "+v.Live)
		m.moving = append(m.moving, v)
	case c.Action == plan.Create && why == "":
		m.bracket.gone[i] = true
		m.moving = append(m.moving, v)
	case c.Stray || c.Action == plan.Create:
		m.leave(v, why)
	default:
		for _, p := range drifted(c) {
			m.field(c, p, i, v, why)
		}
	}
}

// field adopts a value within an entry.
func (m *members) field(c *plan.Change, p plan.PathChange, i int, v Value, why string) {
	v.Attr, v.At = p.Attr.Name, c.Desired.Range(p.Attr.Name)
	if refused := unspeakable(c, p); refused != "" {
		m.leave(v, refused)
		return
	}
	v.Live = inline(spoken(p.Attr, nil, p.Before, cty.NilVal))
	var value hclsyntax.Expression
	if why == "" {
		value, why = m.value(i, p.Attr.Name)
	}
	if why != "" {
		m.leave(v, why)
		return
	}
	old, _ := constant(value)
	want := spoken(p.Attr, nil, p.Before, old)
	v.Live = inline(want)
	r := rewriting{src: m.src, same: sameAs(p)}
	if why = r.set(value, want); why == "" {
		why = r.proven(value, func(got cty.Value) error { return means(p.Attr, nil, got, p.Before) })
	}
	m.write(v, m.source, r.edits, why)
}

// value is the expression of a field of an entry.
func (m *members) value(i int, name string) (e hclsyntax.Expression, why string) {
	entry, ok := m.whole.Items[i].ValueExpr.(*hclsyntax.ObjectConsExpr)
	if !ok {
		if _, why = constant(m.whole.Items[i].ValueExpr); why == "" {
			why = "no line says it"
		}
		return nil, why
	}
	for _, item := range entry.Items {
		if key, why := constant(item.KeyExpr); why == "" && key.Type() == cty.String && key.AsString() == name {
			return item.ValueExpr, ""
		}
	}
	return nil, "no line says it"
}

// entry is what a stranger's entry says: what people would write of it.
func (m *members) entry(c *plan.Change) string {
	set := m.kind.Set
	var fields []string
	for a := range c.Kind.Arguments() {
		v, told := c.Before.Value.Get(a.Name)
		if !told || a == c.Kind.Owner() || a.Name == set.Key || a.Name == set.Mail || a.IsSecret() || schema.IsSecret(v) || a.Canonical(v).IsNull() {
			continue
		}
		if text := inline(spoken(a, nil, v, cty.NilVal)); text != `""` {
			fields = append(fields, label(a.Name)+" = "+text)
		}
	}
	return object(fields)
}

func (m *members) index(key string) int { return slices.Index(m.keys, key) }

// finish writes what comes and goes.
func (m *members) finish() {
	if len(m.moving) == 0 {
		return
	}
	why := m.r.alter(m.bracket)
	for i, v := range m.moving {
		edits := m.r.edits
		if i > 0 && why == "" { // all of them are one change
			m.out.Written = append(m.out.Written, v)
			continue
		}
		m.write(v, m.source, edits, why)
	}
}
