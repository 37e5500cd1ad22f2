package config

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"hew/reconcile/addr"
)

// Most blocks refer to one other block, and only for the id of their owner: project =
// project.api.id. While that id is unknown, Desired.Origin says whose it is, and the reference that
// is made of it gets the id once the owner is matched. An evaluation with the id would have the
// same result, so there is none.

// findOwnerReferences finds the blocks that need no new evaluation when their owners are matched.
func (l *loader) findOwnerReferences() {
	if l.browse {
		return // expressions that are not known yet may read any argument
	}
	for m := range l.root.all {
		for _, n := range m.nodes {
			n.owner = n.soleOwner()
		}
	}
	for m := range l.root.all {
		for _, n := range m.nodes {
			n.read = slices.ContainsFunc(n.users, func(u *node) bool { return u.owner != n })
		}
	}
}

// needsOnlyID reports whether what n makes of a block depends on nothing but its id, and nobody
// reads that id from n.
func (n *node) needsOnlyID(of *node) bool { return n.owner == of && !n.read }

// hasBlocked reports whether an instance of a block cannot be planned. Then its users cannot
// either, whatever they need of it.
func (e *Eval) hasBlocked(st *state) bool {
	for i := range st.insts {
		if e.oracle.Blocked(st.insts[i].Addr) != "" {
			return true
		}
	}
	return false
}

// soleOwner returns the node of the block that n refers to for the id of its owner, if n refers to
// it in no other way, or nil.
func (n *node) soleOwner() *node {
	if !n.isPlainResource() || n.mod != n.scope {
		return nil
	}
	a := n.block.Kind.Owner()
	i := slices.IndexFunc(n.block.args, func(arg argument) bool { return arg.attr == a })
	if a == nil || i < 0 || a.Accepts.Check != nil || n.block.args[i].broken {
		return nil
	}
	to := n.scope.names[blockOfID(n.block.args[i].expr)]
	if to == nil || !to.isPlainResource() || to.block.Kind.Name != a.RefKind() {
		return nil
	}
	times := 0
	for _, r := range slices.Concat(n.refs, n.after) {
		if r.to == to {
			times++
		}
	}
	if times != 1 {
		return nil
	}
	return to
}

// isPlainResource reports whether n is a resource block under hew's own name that stands for one
// object an instance.
func (n *node) isPlainResource() bool {
	b := n.block
	return b != nil && b.Addr.Mode == addr.Resource && b.Alias == nil && b.Kind.Set == nil
}

// blockOfID returns the name of the block if an expression is the id of a block or of one of its
// instances, or "".
func blockOfID(e hcl.Expression) string {
	switch e := e.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		t := e.Traversal
		if name, _ := attrStep(t, len(t)-1); name != "id" {
			return ""
		}
		if len(t) == 4 {
			if _, ok := t[2].(hcl.TraverseIndex); !ok {
				return ""
			}
		}
		if len(t) == 3 || len(t) == 4 {
			return blockName(t[:2])
		}
	case *hclsyntax.RelativeTraversalExpr:
		name, _ := attrStep(e.Traversal, 0)
		index, ok := e.Source.(*hclsyntax.IndexExpr)
		if !ok || name != "id" || len(e.Traversal) != 1 {
			return ""
		}
		if of, ok := index.Collection.(*hclsyntax.ScopeTraversalExpr); ok && len(of.Traversal) == 2 {
			return blockName(of.Traversal)
		}
	}
	return ""
}
