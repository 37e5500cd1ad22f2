package config

import (
	"hew/reconcile/addr"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// scanTriggers scans replace_triggered_by: resources, instances of them, and attributes.
func (s *scanner) scanTriggers(b *Block) {
	var sound []hcl.Expression
	for _, e := range b.triggers {
		t, ok := triggerOf(e)
		if !ok || s.kinds.Resource(t.RootName()) == nil {
			s.fail(
				e.Range(),
				"Invalid replace_triggered_by expression",
				"replace_triggered_by must list resources and their attributes, such as [group.acme, "+
					"project.api.path]. To use another value, store it in an attribute of a resource.",
			)
			continue
		}
		r, ok := s.resolveName(t)
		if !ok || !s.checkSteps(r, t) {
			continue
		}
		if r.to == s.node {
			s.fail(e.Range(), "Self-reference", "%s cannot trigger its own replacement.", s.node.name)
			continue
		}
		before := s.problems()
		if index, ok := triggerKey(e); ok {
			s.scanExpr(index)
		}
		if s.problems() == before {
			s.node.after = append(s.node.after, r)
			sound = append(sound, e)
		}
	}
	b.triggers = sound
}

// triggerOf returns the path of a trigger, up to a computed key.
func triggerOf(e hcl.Expression) (hcl.Traversal, bool) {
	if t, diags := hcl.AbsTraversalForExpr(e); !diags.HasErrors() {
		return t, true
	}
	if index := indexed(e); index != nil {
		t, diags := hcl.AbsTraversalForExpr(index.Collection)
		return t, !diags.HasErrors()
	}
	return nil, false
}

// triggerKey returns the computed key of a trigger.
func triggerKey(e hcl.Expression) (hcl.Expression, bool) {
	if index := indexed(e); index != nil {
		return index.Key, true
	}
	return nil, false
}

// indexed returns the index expression in x.y[each.key] or x.y[each.key].z, or nil.
func indexed(e hcl.Expression) *hclsyntax.IndexExpr {
	if rel, ok := e.(*hclsyntax.RelativeTraversalExpr); ok {
		e = rel.Source
	}
	index, _ := e.(*hclsyntax.IndexExpr)
	return index
}

// evalTriggers evaluates replace_triggered_by.
func (d *decoder) evalTriggers(ctx *hcl.EvalContext) (out []Trigger) {
	for _, e := range d.node.block.triggers {
		path, _ := triggerOf(e)
		if len(path) < 2 {
			continue // reported by scanTriggers
		}
		name, _ := attrStep(path, 1)
		t := Trigger{Addr: addr.Instance{Block: addr.Block{Module: d.frame.path, Kind: path.RootName(), Name: name}}}
		rest := path[2:]
		if key, ok := triggerKey(e); ok {
			v, ok := d.evalScalar(key, ctx, "A key in replace_triggered_by")
			if !ok {
				continue
			}
			t.Addr.Key = formatKey(v)
			to := d.frame.mod.names[t.Addr.Kind+"."+t.Addr.Name]
			d.checkKey(ref{to: to, key: t.Addr.Key, at: key.Range()})
			if rel, ok := e.(*hclsyntax.RelativeTraversalExpr); ok {
				rest = rel.Traversal
			}
		} else if len(rest) > 0 {
			if index, ok := rest[0].(hcl.TraverseIndex); ok {
				t.Addr.Key, rest = formatKey(index.Key), rest[1:]
			}
		}
		t.Attr, _ = attrStep(rest, 0)
		if to := d.frame.mod.names[t.Addr.Kind+"."+t.Addr.Name]; to != nil && to.block != nil {
			t.Attr = to.block.attr(t.Attr)
		}
		out = append(out, t)
	}
	return out
}
