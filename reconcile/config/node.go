package config

import (
	"strings"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/config/composite"
)

// node is something with expressions: a block, a local value, an output, a module block, a
// variable of a module, a settings block, or a rule. Nodes and their references form an
// acyclic graph over all modules.
type node struct {
	id        int     // within its module
	seq       int     // in the order of evaluation
	name      string  // as in expressions: group.acme, local.names
	label     string  // the last part of the name, if it is not a block
	mod       *module // where it is declared
	scope     *module // where its expressions are evaluated; for a variable, the caller's module
	decl      hcl.Range
	exprs     []hcl.Expression // of a node without a block
	refs      []ref
	dependsOn []hcl.Traversal // depends_on, as written
	after     []ref           // depends_on, resolved
	users     []*node         // nodes that refer to it
	owner     *node           // see soleOwner
	read      bool            // a user reads more of it than an id for its owner

	// These fields say what it is. If none is set, it is a local value.
	block    *Block
	output   *output
	variable *variable // of a module; for a validation, with rule
	rule     *rule
	imports  *importBlock
	settings bool    // a hew or provider block
	isCall   bool    // a module block
	calls    *module // its module, or nil if that cannot be read
	repeat           // of a module block

	argumentRange hcl.Range // of a variable
	broken        bool      // cannot be evaluated
	faulty        bool      // has errors; the rest is evaluated to find more
	// misspelt is set if for_each or count is misspelt, so that nothing is known about the
	// instances.
	misspelt bool
}

// repeat is what gives a block many instances.
type repeat struct {
	forEach, count hcl.Expression
	when           *composite.Dynamic // drops the instances for which it has no element; may be nil
}

func (r repeat) keyed() bool { return r.forEach != nil || r.count != nil }

// innerNodes yields all nodes of the module that n calls, if it calls one.
func (n *node) innerNodes(yield func(*node) bool) {
	if n.calls == nil {
		return
	}
	for m := range n.calls.all {
		for _, in := range m.nodes {
			if !yield(in) {
				return
			}
		}
	}
}

// String returns the node's name as seen from the root.
func (n *node) String() string {
	return fromRoot(n.mod.path, n.name)
}

// fromRoot returns a name in a module as seen from the root.
func fromRoot(path, name string) string {
	if path == "" {
		return name
	}
	return addr.Block{Module: path}.String() + "." + name
}

// ref is a reference to a node. key is the instance key, if the reference has a literal
// one. keys is set if only for_each or count refers to the node; what such a reference
// waits for shows in the values.
type ref struct {
	to   *node
	key  string
	at   hcl.Range
	keys bool
}

// single reports whether the reference is to one instance of a block.
func (r ref) single() bool { return r.to.block != nil && (r.key != "" || !r.to.block.keyed()) }

// referencedBlocks returns the blocks that n refers to, directly or through local values,
// variables and outputs. Modules in their addresses have no keys.
func (n *node) referencedBlocks() []addr.Block {
	var out []addr.Block
	seen := map[*node]bool{n: true}
	var visit func(*node)
	visit = func(n *node) {
		for _, r := range n.refs {
			if seen[r.to] {
				continue
			}
			seen[r.to] = true
			if r.to.block != nil {
				out = append(out, r.to.block.Addr)
			} else {
				visit(r.to)
			}
		}
	}
	visit(n)
	return out
}

// sortNodes returns the nodes so that each comes after what it refers to, and reports
// cycles. Nodes in a module come after its call.
func (l *loader) sortNodes() []*node {
	const (
		entered = 1 + iota
		left
	)
	var order []*node
	mark := map[*node]uint8{}
	var path []*node
	var visit func(n *node)
	visit = func(n *node) {
		mark[n] = entered
		path = append(path, n)
		follow := func(to *node, at hcl.Range) {
			switch {
			case mark[to] == 0:
				visit(to)
			case mark[to] == entered && !(to.isCall && to.broken): // one cycle through a module is enough
				l.reportCycle(path, to, at)
			}
		}
		if n.mod.call != nil {
			follow(n.mod.call, n.decl)
		}
		for _, r := range n.refs {
			follow(r.to, r.at)
		}
		for _, r := range n.after {
			follow(r.to, r.at)
			for in := range r.to.innerNodes {
				follow(in, r.at)
			}
		}
		path = path[:len(path)-1]
		mark[n] = left
		n.seq = len(order)
		order = append(order, n)
	}
	for m := range l.root.all {
		for _, n := range m.nodes {
			if mark[n] == 0 {
				visit(n)
			}
		}
	}
	return order
}

func (l *loader) reportCycle(path []*node, to *node, at hcl.Range) {
	to.broken = true
	if path[len(path)-1] == to {
		l.fail(at, "Self-reference",
			"%s refers to itself. Move the shared value to a local value and refer to that instead.", to)
		return
	}
	var names []string
	for i := len(path) - 1; i >= 0; i-- {
		names = append([]string{path[i].String()}, names...)
		if path[i] == to {
			break
		}
	}
	l.fail(at, "Dependency cycle",
		"%s → %s. Remove one of these references, for example by writing a path as a string.",
		strings.Join(names, " → "), to)
}
