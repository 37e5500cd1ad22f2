package config

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"hew/reconcile/addr"
	"hew/schema"
)

// origin is a cty mark: the value comes from an instance. With self, the value
// is what the instance is referred to by: its id or its full path.
type origin struct {
	from addr.Instance
	self bool
}

// Derived is the mark of what is made of the value: it comes from the instance,
// and is no longer what that is referred to by.
func (o origin) Derived() any { return origin{from: o.from} }

// Origin marks v as the id or path of a declared instance, so that whatever is
// made of it waits for that instance, and a reference that is still unknown
// leads to it. Oracles use it in answers of data sources.
func Origin(i addr.Instance, v cty.Value) cty.Value { return v.Mark(origin{i, true}) }

// identifies tells whether the attribute names the object itself.
func identifies(k *schema.Kind, name string) bool {
	return name == "id" || k.Tree != nil && k.Tree.Full == name
}

// instanceSet gathers instances, each once.
type instanceSet struct {
	list []addr.Instance
	seen map[addr.Instance]bool // only once the list is long
}

func (p *instanceSet) add(insts ...addr.Instance) {
	const long = 8
	for _, i := range insts {
		if p.has(i) {
			continue
		}
		p.list = append(p.list, i)
		if p.seen == nil && len(p.list) > long {
			p.seen = make(map[addr.Instance]bool, 4*long)
			for _, j := range p.list {
				p.seen[j] = true
			}
		} else if p.seen != nil {
			p.seen[i] = true
		}
	}
}

func (p *instanceSet) has(i addr.Instance) bool {
	if p.seen != nil {
		return p.seen[i]
	}
	for _, j := range p.list {
		if i == j {
			return true
		}
	}
	return false
}

// stripOrigins takes the origins off v and piles up where it comes from. The instance
// that v as a whole identifies is returned as well, if there is one: v was not
// made out of an id, it is the id. HCL and cty refine whatever templates and
// functions return as not null; only an untouched unknown could still be null.
func stripOrigins(v cty.Value, from *instanceSet) (bare cty.Value, self *addr.Instance) {
	if !v.ContainsMarked() {
		return v, nil
	}
	top, marks := v.Unmark()
	whole := top.Type().IsPrimitiveType() || top.Type() == cty.DynamicPseudoType
	if whole && (top.IsKnown() || top.Range().CouldBeNull()) {
		self = soleSelf(marks)
	}
	bare, paths := v.UnmarkDeepWithPaths()
	kept := paths[:0]
	for _, p := range paths {
		others := cty.ValueMarks{}
		for m := range p.Marks {
			switch m := m.(type) {
			case origin:
				from.add(m.from)
			default:
				others[m] = struct{}{}
			}
		}
		if len(others) > 0 {
			kept = append(kept, cty.PathValueMarks{Path: p.Path, Marks: others})
		}
	}
	return bare.MarkWithPaths(kept), self
}

// soleSelf returns the one instance that the marks say the value identifies.
func soleSelf(marks cty.ValueMarks) (self *addr.Instance) {
	for m := range marks {
		if o, ok := m.(origin); ok && o.self {
			if self != nil && *self != o.from {
				return nil
			}
			self = &o.from
		}
	}
	return self
}

// chosenBranch is the side that a conditional takes, once its condition is known. The
// conditional as a whole is marked with the origins of both sides, which would
// leave a reference with nowhere to lead to.
func chosenBranch(x hcl.Expression, ctx *hcl.EvalContext, from *instanceSet) hcl.Expression {
	switch e := x.(type) {
	case *hclsyntax.ParenthesesExpr:
		return chosenBranch(e.Expression, ctx, from)
	case *hclsyntax.ConditionalExpr:
		v, diags := e.Condition.Value(ctx)
		v, _ = stripOrigins(v, from)
		v, err := convert.Convert(v, cty.Bool)
		switch {
		case diags.HasErrors() || err != nil || v.IsMarked() || !v.IsKnown() || v.IsNull():
			return x
		case v.True():
			return chosenBranch(e.TrueResult, ctx, from)
		}
		return chosenBranch(e.FalseResult, ctx, from)
	}
	return x
}

// resourceInstances turns instances that something comes from into the resource
// instances to wait for: a data source stands for what it waits for itself, a
// set for its elements.
func (e *Eval) resourceInstances(from []addr.Instance) []addr.Instance {
	var out instanceSet
	for _, i := range from {
		if i.Kind == "" {
			continue // a module that is blocked, and so is whatever needs it
		}
		n, f := e.findBlock(i.Block)
		switch {
		case n == nil:
			out.add(i)
		case i.Mode == addr.Data:
			for _, d := range f.state[n.id].insts {
				if d.Addr.Key == i.Key {
					out.add(d.Needs...)
				}
			}
		case n.block.Kind.Set != nil:
			for _, d := range f.state[n.id].elems {
				if d.Addr.Key == i.Key {
					out.add(d.Addr)
				}
			}
		default:
			out.add(i)
		}
	}
	slices.SortFunc(out.list, addr.Instance.Compare)
	return out.list
}
