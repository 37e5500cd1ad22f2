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

// origin is a mark: the value comes from an instance. With self, the value is the ID or
// the full path of the instance. With found, it is the ID of the object that a data source found.
type origin struct {
	from  addr.Instance
	self  bool
	found bool
}

// originOf returns the mark for an attribute of an instance.
func originOf(d *Desired, attr string) origin {
	k := d.Block.Kind
	if d.Addr.Mode == addr.Resource {
		return origin{from: d.Addr, self: identifies(k, attr)}
	}
	return origin{from: d.Addr, found: attr == "id" && k.Data != nil && k.Data.Single}
}

// Derived returns the mark for a value computed from this one, which is no longer an ID or a path.
func (o origin) Derived() any { return origin{from: o.from} }

// MarkOrigin marks v as the ID or path of a declared instance. What is made of v then waits
// for the instance, and an unknown reference resolves to it. Oracles use it in answers of
// data sources.
func MarkOrigin(i addr.Instance, v cty.Value) cty.Value { return v.Mark(origin{from: i, self: true}) }

// identifies reports whether the attribute is the object's ID or full path.
func identifies(k *schema.Kind, name string) bool {
	return name == "id" || k.Tree != nil && k.Tree.Full == name
}

// instanceSet is a set of instances, in the order in which they were added.
type instanceSet struct {
	list []addr.Instance
	seen map[addr.Instance]bool // nil while the list is short
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

// addOptional adds an instance unless it is nil.
func (p *instanceSet) addOptional(i *addr.Instance) {
	if i != nil {
		p.add(*i)
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

// stripOrigins removes the origins from v and adds them to from. If v as a whole is the ID
// or path of an instance, it returns that in self. Templates and functions refine unknown
// results as not null, so an unknown value is an ID itself only if it could still be null.
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

// foundKind returns the kind of the object whose ID a value is, if a data source found it, or "".
func (c *Config) foundKind(v cty.Value) (from addr.Instance, kind string) {
	_, marks := v.Unmark()
	for m := range marks {
		if o, ok := m.(origin); ok && o.found {
			from = o.from
		}
	}
	if from.Kind == "" {
		return from, "" // no look-up, which would read the table of Terraform's names
	}
	if k := c.kinds.Source(from.Kind); k != nil && k.Data != nil {
		return from, k.Data.Of
	}
	return from, ""
}

// soleSelf returns the only instance that the marks identify, or nil.
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

// chosenBranch returns the branch of a conditional, if its condition is known. The value
// of the whole conditional has the origins of both branches, so a reference would resolve
// to neither.
func chosenBranch(x hcl.Expression, ctx *hcl.EvalContext, from *instanceSet) hcl.Expression {
	switch e := x.(type) {
	case *hclsyntax.ParenthesesExpr:
		return chosenBranch(e.Expression, ctx, from)
	case *conditional:
		return chosenBranch(e.ConditionalExpr, ctx, from)
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

// resourceInstances returns the resource instances to wait for, given what a value comes
// from: for a data source what that waits for, for a set its elements.
func (e *Eval) resourceInstances(from []addr.Instance) []addr.Instance {
	var out instanceSet
	for _, i := range from {
		if i.Kind == "" {
			continue // a blocked module, which blocks this as well
		}
		n, f := e.findBlock(i.Block)
		switch {
		case n == nil:
			out.add(i)
		case i.Mode == addr.Data:
			for _, d := range f.state[n.id].insts {
				if d.Addr.Key == i.Key {
					out.add(d.DependsOn...)
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
