package report

import (
	"hew/reconcile/addr"
	"hew/reconcile/plan"
)

// recordSets adds the sizes of the sets with a changed element: of the live or the declared
// elements, whichever are more.
func (d *Document) recordSets(p *plan.Plan) {
	for i := 0; i < len(p.Changes); {
		n := 1
		set, ok := setOf(p.Changes[i].Addr)
		for ok && i+n < len(p.Changes) {
			if next, in := setOf(p.Changes[i+n].Addr); !in || next != set {
				break
			}
			n++
		}
		if ok {
			d.Sets[set.String()] = max(n, p.Sizes[p.Changes[i].Collection])
		}
		i += n
	}
}

// setOf returns the address of the set kind's block instance that an element belongs to. Strays of
// an exclusive block stand for themselves.
func setOf(a addr.Instance) (addr.Instance, bool) {
	if a.Mode != addr.Resource || a.Elem == "" || a.Deposed() {
		return a, false
	}
	a.Elem = ""
	return a, true
}
