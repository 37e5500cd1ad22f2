package plan

import "hew/reconcile/addr"

// SetOf returns the address of the set kind's block instance that an element belongs to. Strays of
// an exclusive block stand for themselves.
func SetOf(a addr.Instance) (addr.Instance, bool) {
	if a.Mode != addr.Resource || a.Elem == "" || a.Deposed() {
		return a, false
	}
	a.Elem = ""
	return a, true
}

// SetSizes returns how many elements each set has: live and declared ones, whichever are more. It
// counts the elements that Drift left out.
func (p *Plan) SetSizes() map[addr.Instance]int {
	if p.sizes != nil {
		return p.sizes
	}
	sizes := map[addr.Instance]int{}
	for i := range p.Changes {
		if set, ok := SetOf(p.Changes[i].Addr); ok {
			sizes[set]++
		}
	}
	for i := range p.Changes {
		if set, ok := SetOf(p.Changes[i].Addr); ok {
			sizes[set] = max(sizes[set], p.Sizes[p.Changes[i].Collection])
		}
	}
	return sizes
}
