package change

import (
	"cmp"
	"slices"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/match"
	"hew/reconcile/plan"
	"hew/schema"
)

// Facts returns what guards check besides the changes of a plan.
func (b *Builder) Facts(limits config.Guards, destroy bool) *plan.Facts {
	w := b.World
	f := &plan.Facts{
		Limits: limits, Self: w.Self, Destroy: destroy, Declared: len(w.Declared()) + len(w.Result().Blocked),
		Live: map[schema.Collection][]schema.Object{},
	}
	if b.Managed {
		f.Ledger = w.Ledger
	}
	for at, c := range w.Collections() {
		f.Live[at] = c.Objects()
	}
	f.NotFound = b.notFound()
	for _, n := range w.Planned() {
		if n.Status() == match.Matched {
			f.Managed++
		}
	}
	for _, o := range w.Orphans() {
		if action, _ := o.Decision(); action == match.Remove || action == match.Reset {
			f.Managed++
		}
	}
	if w.Scope() != nil {
		target, _ := w.Scope().Named()
		f.Declared += len(target)                         // a target is intended even if no file declares anything
		f.Managed = max(f.Managed, len(w.Ledger.Entries)) // limits apply to everything managed, not only to the targets
	}
	return f
}

// notFound returns the objects and collections in the ledger for which the host answers 404, sorted
// by title.
func (b *Builder) notFound() (out []plan.MissingOwner) {
	w := b.World
	seen := map[string]bool{}
	for _, n := range w.Planned() {
		if owner := n.OwnerNotFound(); owner != "" && !seen[owner] {
			seen[owner] = true
			out = append(out, plan.MissingOwner{Title: owner, Addr: n.Addr()})
		}
		if n.Gone() && n.Kind().Tree != nil {
			out = append(out, plan.MissingOwner{Title: n.Title(), Addr: n.Addr()})
		}
		entry, _ := n.Entry()
		c, path := w.CollectionAt(n.Collection()), n.Collection().Path
		if entry == nil || c == nil || seen[path] {
			continue
		}
		if state := c.ReadState(); state == schema.Unsupported || state == schema.OwnerAbsent {
			seen[path] = true
			out = append(out, plan.MissingOwner{Title: path, Addr: n.Addr(), Whole: state == schema.Unsupported})
		}
	}
	slices.SortFunc(out, func(a, b plan.MissingOwner) int { return cmp.Compare(a.Title, b.Title) })
	return out
}

// blockedAddresses returns what could not be planned, by the configuration or by the host, each
// address once.
func (b *Builder) blockedAddresses() (out []config.Blocked) {
	w := b.World
	seen := map[addr.Instance]bool{}
	add := func(b config.Blocked) {
		if !seen[b.Addr] {
			seen[b.Addr] = true
			out = append(out, b)
		}
	}
	addDeclaration := func(at addr.Instance, s *match.Declaration) {
		why, by := s.Reason()
		add(config.Blocked{Addr: at, Reason: why, Causes: by, DeclRange: s.Position()})
	}
	skips := map[addr.Instance]bool{}
	for _, n := range w.Planned() {
		switch n.Status() {
		case match.Blocked:
			addDeclaration(n.Addr(), &n.Declaration)
		case match.Skipped:
			skips[n.Addr()] = true
		}
	}
	for at, s := range w.EachDeclaration() {
		if !w.Scope().Includes(at) || b.servesCheck(at) {
			continue
		}
		if owner := s.Owner(); s.Status() == match.Pending && owner != nil && match.IsUnlocated(owner) {
			s.Block("its owner " + owner.Addr + " cannot be planned")
		}
		if s.Status() == match.Blocked {
			addDeclaration(at, s)
		}
	}
	for _, blocked := range w.Result().Blocked {
		if !w.Scope().Includes(blocked.Addr) || b.servesCheck(blocked.Addr) {
			continue
		}
		n := w.Node(blocked.Addr)
		if n != nil && n.Status() == match.Skipped ||
			slices.ContainsFunc(blocked.Causes, func(at addr.Instance) bool { return skips[at] }) {
			continue
		}
		if n != nil && n.Status() == match.Blocked {
			if _, by := n.Reason(); len(by) == 0 {
				addDeclaration(n.Addr(), &n.Declaration) // objects that it blocks may be what it depends on
			}
		}
		add(blocked)
	}
	return out
}

// servesCheck reports whether a data source belongs to a check block, which reports its errors
// itself.
func (b *Builder) servesCheck(at addr.Instance) bool {
	if at.Mode != addr.Data {
		return false
	}
	block := b.World.Block(at.Block)
	return block != nil && block.Check != ""
}
