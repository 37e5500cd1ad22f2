package rewrite

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/plan"
	"hew/schema"
)

// adoptSet adopts the drift of the elements of a set: changed values, deleted elements, and
// elements that no entry declares.
func (w *adopter) adoptSet(set addr.Instance, changes []plan.Change) {
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
	why := w.cfg.SharedReason(block)
	var s site
	if why == "" {
		s, why = w.findSite(block.Range(block.Kind.Set.Attr))
	}
	e, literal := s.expr.(*hclsyntax.ObjectConsExpr)
	if why == "" && !literal {
		_, why = literalValue(s.expr)
	}
	m := setRewriter{adopter: w, site: s, kind: block.Kind, expr: e}
	if why == "" {
		m.rw = rewriter{src: s.src, equal: sameMeaning}
		m.elements, m.keys, why = m.rw.objectElements(e)
	}
	for _, c := range drift {
		m.adoptElement(c, why)
	}
	m.applyEntries()
}

// setRewriter rewrites the map of a set.
type setRewriter struct {
	*adopter
	site
	kind     *schema.Kind // the set's
	expr     *hclsyntax.ObjectConsExpr
	rw       rewriter
	elements elements
	keys     []string
	pending  []Value // elements to add or remove
}

// adoptElement adopts the drift of one element, unless why forbids it for all of them.
func (m *setRewriter) adoptElement(c *plan.Change, why string) {
	v := Value{Addr: c.Addr, At: blockRange(c)}
	if c.Desired() != nil {
		v.At = c.Desired().Range("") // the whole entry
	}
	if c.Stray() {
		v.Live = m.newEntry(c)
	}
	i := m.entryIndex(c.Addr.Elem)
	switch {
	case why != "":
	case c.Stray() && i >= 0:
		why = "there is already an entry with this key"
	case !c.Stray() && i < 0:
		why = "no argument sets it"
	}
	switch {
	case c.Action == plan.NotFound:
		m.recordLeft(v, whyNotFound)
	case c.Stray() && why == "":
		m.elements.added = append(m.elements.added, keyLike(m.expr, m.src, c.Addr.Elem)+" = "+v.Live)
		m.pending = append(m.pending, v)
	case c.Action == plan.Create && why == "":
		m.elements.removed[i] = true
		m.pending = append(m.pending, v)
	case c.Stray() || c.Action == plan.Create:
		m.recordLeft(v, why)
	default:
		for _, p := range driftedPaths(c) {
			m.adoptField(c, p, i, v, why)
		}
	}
}

// adoptField adopts a value in an entry.
func (m *setRewriter) adoptField(c *plan.Change, p plan.PathChange, i int, v Value, why string) {
	v.Attr, v.At = p.Attr.Name, c.Desired().Range(p.Attr.Name)
	if refused := whyNotWritten(c, p); refused != "" {
		m.recordLeft(v, refused)
		return
	}
	v.Live = oneLine(sourceValue(p.Attr, nil, p.Before, cty.NilVal))
	var value hclsyntax.Expression
	if why == "" {
		value, why = m.fieldExpr(i, p.Attr.Name)
	}
	if why != "" {
		m.recordLeft(v, why)
		return
	}
	old, _ := literalValue(value)
	want := sourceValue(p.Attr, nil, p.Before, old)
	v.Live = oneLine(want)
	r := rewriter{src: m.src, equal: elementsEqual(p)}
	if why = r.set(value, want); why == "" {
		why = r.verify(value, func(got cty.Value) error { return checkMeaning(p.Attr, nil, got, p.Before) })
	}
	m.record(v, m.source, r.edits, why)
}

// fieldExpr returns the expression of a field of an entry, or why there is none to change.
func (m *setRewriter) fieldExpr(i int, name string) (e hclsyntax.Expression, why string) {
	entry, ok := m.expr.Items[i].ValueExpr.(*hclsyntax.ObjectConsExpr)
	if !ok {
		if _, why = literalValue(m.expr.Items[i].ValueExpr); why == "" {
			why = "no argument sets it"
		}
		return nil, why
	}
	for _, item := range entry.Items {
		if key, why := literalValue(item.KeyExpr); why == "" && key.Type() == cty.String && key.AsString() == name {
			return item.ValueExpr, ""
		}
	}
	return nil, "no argument sets it"
}

// newEntry returns the entry for an element that none declares: what people would write for it.
func (m *setRewriter) newEntry(c *plan.Change) string {
	set := m.kind.Set
	var fields []string
	for a := range c.Kind.Arguments() {
		v, known := c.Before.Value.Get(a.Name)
		if !known || a == c.Kind.Owner() || a.Name == set.Key || a.Name == set.Mail || a.IsSecret() ||
			schema.IsSecret(v) || a.Canonical(v).IsNull() {
			continue
		}
		if text := oneLine(sourceValue(a, nil, v, cty.NilVal)); text != `""` {
			fields = append(fields, objectKey(a.Name)+" = "+text)
		}
	}
	return joinFields(fields)
}

func (m *setRewriter) entryIndex(key string) int { return slices.Index(m.keys, key) }

// applyEntries adds and removes the entries.
func (m *setRewriter) applyEntries() {
	if len(m.pending) == 0 {
		return
	}
	why := m.rw.changeElements(m.elements)
	for i, v := range m.pending {
		edits := m.rw.edits
		if i > 0 && why == "" { // the edits of the first cover them all
			m.result.Written = append(m.result.Written, v)
			continue
		}
		m.record(v, m.source, edits, why)
	}
}
