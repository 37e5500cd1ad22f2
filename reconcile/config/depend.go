package config

import "hew/reconcile/addr"

// Dependency is a block and the blocks that it refers to or waits for, itself
// or through local values and modules.
type Dependency struct {
	Block addr.Block
	Needs []addr.Block
}

// Dependencies returns every resource, data and exclusive block in the order of
// files and lines.
func (c *Config) Dependencies() []Dependency {
	var out []Dependency
	for m := range c.root.all {
		for _, n := range m.nodes {
			if n.block != nil {
				out = append(out, Dependency{n.block.Addr, n.blocks()})
			}
		}
	}
	return out
}
