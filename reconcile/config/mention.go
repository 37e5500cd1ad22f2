package config

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"hew/reconcile/addr"
	"hew/schema"
)

// Block returns the block of that address, with or without instances, or nil
// where the configuration has none.
func (c *Config) Block(b addr.Block) *Block {
	if n := c.findNode(b); n != nil {
		return n.block
	}
	return nil
}

// Mentioned returns the names of the attributes of k that the configuration
// states or refers to anywhere, sorted: what is worth keeping of live objects.
// What a set kind states counts for its elements' kind.
func (c *Config) Mentioned(k *schema.Kind) []string {
	names := map[string]bool{}
	for _, n := range c.order {
		if n.block == nil || n.block.Addr.Mode == addr.Data {
			continue
		}
		if n.block.Addr.Mode == addr.Exclusive { // whoever waits to get in is claimed as well
			for i := range n.block.Kind.Attrs {
				if a := &n.block.Kind.Attrs[i]; n.block.Kind == k && a.Leads != "" {
					names[a.Name] = true
				}
			}
			continue
		}
		set := n.block.Kind.Set
		switch {
		case n.block.Kind == k:
			maps.Copy(names, n.block.mentionedAttrs)
			for _, w := range n.block.args {
				names[w.attr.Name] = true
			}
		case set != nil && set.Element == k.Name:
			for name := range n.block.Kind.Attr(set.Attr).Type.ElementType().AttributeTypes() {
				names[name] = true
			}
			if n.block.states(set.Exclusive) && set.Mail != "" {
				names[set.Mail] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// states tells whether a block has an argument of that name.
func (b *Block) states(name string) bool {
	return slices.ContainsFunc(b.args, func(w argument) bool { return w.attr.Name == name })
}

// recordMention notes which attribute of a block an expression is after; all of them
// where it takes the object as a whole. The others are not made values of: that
// would be most of the memory of a large configuration.
func (s *scanner) recordMention(r ref, t hcl.Traversal) {
	b := r.to.block
	if b == nil {
		return
	}
	if pick := s.selections[t.SourceRange()]; pick.steps == b.instanceSteps() {
		b.recordMention(pick.name)
		return
	}
	for _, step := range t[b.nameSteps():] {
		if a, ok := step.(hcl.TraverseAttr); ok {
			b.recordMention(a.Name)
			return
		}
	}
	b.recordMention(b.names()...)
}

// Mentions tells whether an expression is after the attribute, so that a read of
// its own is well spent on it.
func (b *Block) Mentions(attr string) bool { return b.mentionedAttrs[attr] && !b.allMentioned }

// selection is the attribute that is taken of an instance, and how many steps lead
// to the instance.
type selection struct {
	name  string
	steps int
}

// selectAttribute notes what is taken of an instance whose key is worked out, as in
// group.team[each.key].id. HCL's own list of references ends at the bracket.
func (s *scanner) selectAttribute(of hcl.Expression, name string) {
	steps := 0
	if index, ok := of.(*hclsyntax.IndexExpr); ok {
		of, steps = index.Collection, 1
	}
	if t, ok := of.(*hclsyntax.ScopeTraversalExpr); ok {
		if t.Traversal.RootName() == "module" && len(t.Traversal)+steps < 3 && name == "id" {
			return // a module as a whole is no object
		}
		s.selections[t.Traversal.SourceRange()] = selection{name, len(t.Traversal) + steps}
	}
}
