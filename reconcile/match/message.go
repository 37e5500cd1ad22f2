package match

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/config"
)

// Messages are what expressions and people are yet to be told.
type Messages struct {
	news  map[addr.Block]bool // blocks of which expressions may see more
	diags hcl.Diagnostics
	notes []string
	noted map[string]bool
}

// Announce has the expressions that refer to a block evaluated again.
func (m *Messages) Announce(b addr.Block) { m.news[b] = true }

// HasNews reports whether there are blocks to evaluate again.
func (m *Messages) HasNews() bool { return len(m.news) > 0 }

// DrainNews returns the blocks to evaluate again, and forgets them.
func (m *Messages) DrainNews() []addr.Block {
	blocks := slices.Collect(maps.Keys(m.news))
	clear(m.news)
	return blocks
}

// Diagnostics returns the errors of the configuration found while placing.
func (m *Messages) Diagnostics() hcl.Diagnostics { return m.diags }

// Notes returns what people are told beside the plan, each note once.
func (m *Messages) Notes() []string { return m.notes }

// Note tells people something once.
func (m *Messages) Note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); !m.noted[n] {
		m.noted[n] = true
		m.notes = append(m.notes, n)
	}
}

// PublishBlocked lets expressions know of what has turned out to be blocked: what is
// made of it is blocked with it. It reports whether there was any.
func (w *World) PublishBlocked() (any bool) {
	for _, n := range w.order {
		if (n.status == Blocked || n.status == Skipped) && !n.published {
			n.published, any = true, true
			w.Announce(n.want.Addr.Block)
		}
	}
	return any
}

func (w *World) conflict(n, other *Node, detail string) {
	w.diags = append(w.diags, mistake(n.want.Block.Decl, "Two resources for one object",
		"%s %s and %s (%s) cannot both manage it; remove one of them.",
		detail, n.want.Addr, other.want.Addr, config.Place(other.want.Block.Decl)))
	n.Block("two resources declare the same object", other.want.Addr)
}

// mistake returns an error of what the configuration says at a place.
func mistake(at hcl.Range, summary, format string, args ...any) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(format, args...),
		Subject: &at}
}
