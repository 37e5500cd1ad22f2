package config

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"hew/reconcile/addr"
	"hew/schema"
)

// Block returns the block with an address, or nil if the configuration has none. The block
// may have no instances.
func (c *Config) Block(b addr.Block) *Block {
	if n := c.findNode(b); n != nil {
		return n.block
	}
	return nil
}

// MentionedAttributes returns the names of k's attributes that the configuration states or refers
// to, sorted: those that are worth keeping of live objects. What a set kind states counts
// for the kind of its elements.
func (c *Config) MentionedAttributes(k *schema.Kind) []string {
	names := map[string]bool{}
	for _, n := range c.order {
		if n.block == nil || n.block.Addr.Mode == addr.Data {
			continue
		}
		if n.block.Addr.Mode == addr.Exclusive { // applicants are deleted from a claimed collection as well
			for i := range n.block.Kind.Attrs {
				if a := &n.block.Kind.Attrs[i]; n.block.Kind == k && k.Invites(a) {
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

// ReadsFrom reports whether an expression uses an attribute of a data source of kind k.
func (c *Config) ReadsFrom(k *schema.Kind, attr string) bool {
	return slices.ContainsFunc(c.order, func(n *node) bool {
		return n.block != nil && n.block.Kind == k && n.block.mentionedAttrs[attr]
	})
}

// states reports whether a block has an argument of that name.
func (b *Block) states(name string) bool {
	return slices.ContainsFunc(b.args, func(w argument) bool { return w.attr.Name == name })
}

// recordMention records which attribute of a block an expression uses, or all attributes
// if it uses the object as a whole. Values are made only of recorded attributes, because
// the others would take most of the memory of a large configuration.
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

// Mentions reports whether an expression uses the attribute, so that the host may be asked
// for it in a request of its own.
func (b *Block) Mentions(attr string) bool { return b.mentionedAttrs[attr] && !b.allMentioned }

// Uses reports whether an expression uses the attribute, by itself or with all others.
func (b *Block) Uses(attr string) bool { return b.mentionedAttrs[attr] }

// selection is the attribute that an expression takes of an instance, and how many steps
// lead to the instance.
type selection struct {
	name  string
	steps int
}

// selectAttribute records the attribute that an expression takes of an instance whose key
// is computed, as in group.team[each.key].id. HCL's own list of references ends at the
// bracket.
func (s *scanner) selectAttribute(of hcl.Expression, name string) {
	steps := 0
	if index, ok := of.(*hclsyntax.IndexExpr); ok {
		of, steps = index.Collection, 1
	}
	if t, ok := of.(*hclsyntax.ScopeTraversalExpr); ok {
		if t.Traversal.RootName() == "module" && len(t.Traversal)+steps < 3 && name == "id" {
			return // a module has no ID
		}
		s.selections[t.Traversal.SourceRange()] = selection{name, len(t.Traversal) + steps}
	}
}
