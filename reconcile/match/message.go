package match

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/config"
)

// Messages hold the blocks to evaluate again, and the diagnostics and notes to report.
type Messages struct {
	stale map[addr.Block]bool // blocks whose values may have changed since the last evaluation
	diags hcl.Diagnostics
	notes []string
	noted map[string]bool
}

// MarkStale marks a block so that the expressions that refer to it are evaluated again.
func (m *Messages) MarkStale(b addr.Block) { m.stale[b] = true }

// HasStale reports whether any block has to be evaluated again.
func (m *Messages) HasStale() bool { return len(m.stale) > 0 }

// DrainStale returns the blocks to evaluate again and clears them.
func (m *Messages) DrainStale() []addr.Block {
	blocks := slices.Collect(maps.Keys(m.stale))
	clear(m.stale)
	return blocks
}

// Diagnostics returns the configuration errors found while matching.
func (m *Messages) Diagnostics() hcl.Diagnostics { return m.diags }

// Notes returns the notes of the plan without duplicates.
func (m *Messages) Notes() []string { return m.notes }

// Note adds a note to the plan, unless it is there already.
func (m *Messages) Note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); !m.noted[n] {
		m.noted[n] = true
		m.notes = append(m.notes, n)
	}
}

// PublishBlocked marks newly blocked nodes as stale, so that what is computed from them is blocked
// too, and blocks what is in them. It reports whether there were any.
func (w *World) PublishBlocked() (any bool) {
	for more := true; more; {
		more = false
		for _, n := range w.order {
			if (n.status == Blocked || n.status == Skipped) && !n.published {
				n.published, any, more = true, true, true
				w.MarkStale(n.want.Addr.Block)
			}
		}
		if more {
			w.blockOwned()
		}
	}
	return any
}

// blockOwned blocks the declarations whose owner was blocked after it was found.
func (w *World) blockOwned() {
	for _, d := range w.EachDeclaration() {
		kind := OwnerKind(d.Kind())
		if kind == "" || d.owner == nil || d.status == Blocked || d.status == Skipped {
			continue
		}
		if in := w.Target(kind, d.owner); in != nil && in.status == Blocked {
			d.Block(fmt.Sprintf("its owner %s cannot be planned", in.want.Addr), in.want.Addr)
		}
	}
}

// reportDuplicate reports that two nodes manage one object, and blocks n.
func (w *World) reportDuplicate(n, other *Node, object string) {
	if n.want.Addr.Block == other.want.Addr.Block {
		first, second := other.want.Addr, n.want.Addr
		if second.Less(first) {
			first, second = second, first
		}
		w.diags = append(w.diags, mistake(n.want.Block.DeclRange, "Duplicate resource",
			"Both %s and %s manage %s. Each instance of the block needs an object of its own: change count or "+
				"for_each.",
			first, second, object))
		n.Block("another instance of the block manages the same object", other.want.Addr)
		return
	}
	w.diags = append(w.diags, mistake(n.want.Block.DeclRange, "Duplicate resource",
		"Both %s and %s (%s) manage %s. Remove one of the two blocks.",
		n.want.Addr, other.want.Addr, config.FormatRange(other.want.Block.DeclRange), object))
	n.Block("another block manages the same object", other.want.Addr)
}

// reportSharedPath reports that nodes of two kinds declare one path, and blocks n.
func (w *World) reportSharedPath(n, other *Node) {
	w.diags = append(w.diags, mistake(n.want.Block.DeclRange, "Path declared twice",
		"Both %s and %s (%s) have the path %q, but a %s and a %s cannot share a path. Change one of the two.",
		n.want.Addr, other.want.Addr, config.FormatRange(other.want.Block.DeclRange), n.ref.Path, n.Kind().Name,
		other.Kind().Name))
	n.Block("another block declares its path", other.want.Addr)
}

// mistake returns a configuration error at a source range.
func mistake(at hcl.Range, summary, format string, args ...any) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(format, args...),
		Subject: &at}
}
