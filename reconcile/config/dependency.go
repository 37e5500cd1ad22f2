package config

import (
	"slices"

	"hew/reconcile/addr"
)

// Dependency is a block and the blocks that it depends on, directly or through local
// values and modules.
type Dependency struct {
	Block     addr.Block
	DependsOn []addr.Block
}

// Dependencies returns the dependencies of every resource, data and exclusive block, in
// the order of files and lines.
func (c *Config) Dependencies() []Dependency {
	var out []Dependency
	for m := range c.root.all {
		for _, n := range m.nodes {
			if n.block != nil {
				out = append(out, Dependency{n.block.Addr, n.needs()})
			}
		}
	}
	return out
}

// OutputNeeds returns the blocks that the named output refers to, or those of all outputs
// if name is "".
func (c *Config) OutputNeeds(name string) []addr.Block {
	var out []addr.Block
	for _, n := range c.root.outputs {
		if name != "" && n.name != "output."+name {
			continue
		}
		for _, b := range n.needs() {
			if !slices.Contains(out, b) {
				out = append(out, b)
			}
		}
	}
	return out
}

// needs returns the blocks that n refers to, followed by the targets of depends_on of n
// and of the module calls around it.
func (n *node) needs() []addr.Block {
	out := n.referencedBlocks()
	add := func(to *node) bool {
		if to.block != nil && !slices.Contains(out, to.block.Addr) {
			out = append(out, to.block.Addr)
		}
		return true
	}
	for by := n; by != nil; by = by.mod.call {
		for _, r := range by.after {
			add(r.to)
			r.to.innerNodes(add)
		}
	}
	return out
}
