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

// visitDependencies calls visit for everything that n depends on, and then for n.
func visitDependencies(n *node, visit func(*node)) {
	visitUnless(func(*node) bool { return false }, n, visit)
}

// evaluateWithDependencies evaluates n and what it depends on, as far as they are not evaluated. If
// a node is evaluated, so is everything that it depends on.
func (e *Eval) evaluateWithDependencies(n *node) {
	isDone := func(n *node) bool { return e.evaluated[n.seq] }
	visitUnless(isDone, n, func(n *node) { e.evaluate(n) })
}

// visitUnless visits like visitDependencies, without the nodes to skip and what only they depend
// on.
func visitUnless(skip func(*node) bool, n *node, visit func(*node)) {
	seen := map[*node]bool{}
	var need func(*node)
	need = func(n *node) {
		if seen[n] || skip(n) {
			return
		}
		seen[n] = true
		if n.mod.call != nil {
			need(n.mod.call)
		}
		for _, r := range n.refs {
			need(r.to)
		}
		for _, r := range n.after {
			need(r.to)
			for in := range r.to.innerNodes {
				need(in)
			}
		}
		visit(n)
	}
	need(n)
}
