package config

import (
	"fmt"
	"strings"

	"hew/reconcile/addr"
)

// An instance that cannot be planned blocks everything that depends on it. Each Blocked
// has the reason of the first one in the chain.

const (
	unknownKeys = "its keys are not known yet"
	dependsOn   = "depends on " // begins reasons that come from another instance
)

// blockAll blocks the whole block, because of blocked instances in from or because its
// keys are unknown.
func (d *decoder) blockAll(from []addr.Instance) *Blocked {
	out := &Blocked{DeclRange: d.node.decl}
	if d.node.block != nil {
		out.Addr.Block = d.node.address(d.frame)
	}
	d.eval.findCauses(out, from)
	if out.Reason == "" {
		out.Reason = unknownKeys
	}
	return out
}

// findCauses records in b which instances of from are blocked, and the reason of the first
// one.
func (e *Eval) findCauses(b *Blocked, from []addr.Instance) {
	for _, i := range from {
		why := e.blockedReason(i)
		if why == "" {
			continue
		}
		b.Causes = append(b.Causes, i)
		if !strings.HasPrefix(why, dependsOn) {
			why = fmt.Sprintf("%s%s, which is blocked: %s", dependsOn, i, why)
		}
		if b.Reason == "" {
			b.Reason = why
		}
	}
}

// blockedReason returns why an instance cannot be planned, or "".
func (e *Eval) blockedReason(i addr.Instance) string {
	if i.Kind == "" {
		if closed := e.blockedCalls[i.Module]; closed != nil {
			return closed.Reason
		}
		return ""
	}
	if n, f := e.findBlock(i.Block); n != nil {
		st := &f.state[n.id]
		if st.unexpanded != nil {
			return st.unexpanded.Reason
		}
		if b, ok := st.blocked[i.Key]; ok {
			return b.Reason
		}
	}
	return e.oracle.Blocked(i)
}

// blockedInstances returns the instances of a block that cannot be planned, or the block
// itself. They block whatever depends on the block as a whole.
func (e *Eval) blockedInstances(n *node, f *frame) []addr.Instance {
	st := &f.state[n.id]
	if st.unexpanded != nil {
		return []addr.Instance{{Block: n.address(f)}}
	}
	of := st.insts
	if n.block.Kind.Set != nil && n.block.Addr.Mode == addr.Resource {
		of = st.elems
	}
	var out []addr.Instance
	for i := range of {
		if e.blockedReason(of[i].Addr) != "" {
			out = append(out, of[i].Addr)
		}
	}
	return out
}
