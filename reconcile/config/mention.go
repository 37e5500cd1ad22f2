package config

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/schema"
)

// Declares tells whether the configuration has the block, with or without
// instances.
func (c *Config) Declares(b addr.Block) bool { return c.names[b.String()] != nil }

// Mentioned returns the names of the attributes of k that the configuration
// states or refers to anywhere, sorted: what is worth keeping of live objects.
// What a set kind states counts for its elements' kind.
func (c *Config) Mentioned(k *schema.Kind) []string {
	names := maps.Clone(c.mentioned[k.Name])
	if names == nil {
		names = map[string]bool{}
	}
	for _, n := range c.nodes {
		if n.block == nil || n.block.Addr.Mode != addr.Resource {
			continue
		}
		set := n.block.Kind.Set
		switch {
		case n.block.Kind == k:
			for _, w := range n.block.attrs {
				names[w.attr.Name] = true
			}
		case set != nil && set.Element == k.Name:
			for name := range n.block.Kind.Attr(set.Attr).Type.ElementType().AttributeTypes() {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// mention notes which attribute of a resource an expression is after; all of
// them where it takes the object as a whole.
func (l *loader) mention(r ref, t hcl.Traversal) {
	if r.to.block == nil || r.to.block.Addr.Mode != addr.Resource {
		return
	}
	k := r.to.block.Kind
	if l.mentioned[k.Name] == nil {
		l.mentioned[k.Name] = map[string]bool{}
	}
	for _, step := range t[2:] {
		if a, ok := step.(hcl.TraverseAttr); ok {
			l.mentioned[k.Name][a.Name] = true
			return
		}
	}
	for i := range k.Attrs {
		l.mentioned[k.Name][k.Attrs[i].Name] = true
	}
}
