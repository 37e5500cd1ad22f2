package reconcile

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/config"
)

// move re-addresses ledger entries before anything is matched.
func (r *Run) move(moves []config.Move) *hcl.Diagnostic {
	for _, m := range moves {
		for _, from := range r.covered(m.From) {
			to := m.To
			if m.From.Key == "" && m.To.Key == "" {
				to.Key = from.Key
			}
			to.Elem = from.Elem
			if from == to {
				continue
			}
			if _, taken := r.led.Entries[to]; taken {
				return &hcl.Diagnostic{
					Severity: hcl.DiagError, Summary: "Move onto a managed object", Subject: m.Decl.Ptr(),
					Detail: "The ledger has " + from.String() + " and " + to.String() + ", two objects. Remove one of them from the ledger (hew ledger rm) or take this moved block away.",
				}
			}
			r.world.rewrites = append(r.world.rewrites, r.led.Move(from, to)...)
			r.world.movedFrom[to] = from
		}
	}
	return nil
}

// covered are the addresses in the ledger that a moved address speaks of, in
// order.
func (r *Run) covered(from addr.Instance) (at []addr.Instance) {
	for a := range r.led.Entries {
		if covers(from, a) {
			at = append(at, a)
		}
	}
	slices.SortFunc(at, addr.Instance.Compare)
	return at
}

// names tells whether an address, as it is written in a removed block, is that
// of an element. With a single index nothing but the ledger can tell whether
// that is the element's key or the block's.
func names(from, element addr.Instance) bool {
	return from.Block == element.Block && element.Elem != "" && element.Key == "" && from.Elem == "" &&
		strings.EqualFold(from.Key, addr.StringKey(element.Elem))
}

// covers tells whether a moved or removed address speaks of a ledger entry.
func covers(from, a addr.Instance) bool {
	return from.Block == a.Block && (from.Key == "" || from.Key == a.Key) && (from.Elem == "" || from.Elem == a.Elem)
}
