package config

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
)

// node is a thing with expressions: a block, a local value, an output, a
// settings block. Nodes and their references form an acyclic graph.
type node struct {
	id    int
	name  string // as expressions say it: group.acme, local.names
	decl  hcl.Range
	block *Block           // nil for what is not a resource, data or exclusive block
	exprs []hcl.Expression // of all others
	refs  []ref
	wait  []hcl.Traversal // depends_on as written
	after []ref           // and as resolved
	users []*node         // whose references lead here
}

// ref is a reference to a node. key is the printed instance key where the
// reference has a constant one. A reference of for_each or count alone decides
// which instances there are; what they wait for shows in the values.
type ref struct {
	to   *node
	key  string
	at   hcl.Range
	keys bool
}

// instance is the instance that the reference names, if it names one.
func (r ref) instance() (addr.Instance, bool) {
	b := r.to.block
	if b == nil || r.key == "" && b.keyed() {
		return addr.Instance{}, false
	}
	return addr.Instance{Block: b.Addr, Key: r.key}, true
}

// blocks returns the blocks that n refers to, itself or through local values.
func (n *node) blocks() []addr.Block {
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

// sortNodes orders nodes so that each comes after what it refers to, and
// reports circles with their path.
func (l *loader) sortNodes() []*node {
	const (
		entered = 1 + iota
		left
	)
	order := make([]*node, 0, len(l.nodes))
	mark := make([]uint8, len(l.nodes))
	var path []*node
	var visit func(n *node)
	visit = func(n *node) {
		mark[n.id] = entered
		path = append(path, n)
		follow := func(to *node, at hcl.Range) {
			switch mark[to.id] {
			case 0:
				visit(to)
			case entered:
				l.circle(path, to, at)
			}
		}
		for _, r := range slices.Concat(n.refs, n.after) {
			follow(r.to, r.at)
		}
		path = path[:len(path)-1]
		mark[n.id] = left
		order = append(order, n)
	}
	for _, n := range l.nodes {
		if mark[n.id] == 0 {
			visit(n)
		}
	}
	return order
}

func (l *loader) circle(path []*node, to *node, at hcl.Range) {
	if path[len(path)-1] == to {
		l.fail(at, "Self reference", "%s refers to itself. Its own attributes are not known while they are being evaluated; put what both need into a local value.", to.name)
		return
	}
	var names []string
	for i := len(path) - 1; i >= 0; i-- {
		names = append([]string{path[i].name}, names...)
		if path[i] == to {
			break
		}
	}
	l.fail(at, "Dependency cycle", "%s → %s: none of these can be done first. Take one of the references out, for example by writing a path as text.", strings.Join(names, " → "), to.name)
}
