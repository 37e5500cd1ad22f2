package match

import (
	"fmt"

	"hew/reconcile/addr"
	"hew/reconcile/ledger"
	"hew/schema"
)

// KeyConflict returns why the new object cannot exist beside the old one, or "". by is the address
// whose block sets create_before_destroy.
func (n *Node) KeyConflict(by addr.Instance) string {
	a, v, ok := Key(n.want.Object)
	if !ok || !a.Equal(v, n.live.Get(a.Name)) {
		return ""
	}
	whose := "create_before_destroy"
	if by != n.want.Addr {
		whose = fmt.Sprintf("create_before_destroy of %s, which needs it", by)
	}
	name := n.want.WrittenName(a.Name)
	return fmt.Sprintf("the new object would be created before the old one is deleted (%s), but both have the same "+
		"%s, %s; change %s, or remove create_before_destroy",
		whose, name, showKey(a, v), name)
}

// Supersede deposes the live object of n, so that its replacement is created before it is deleted.
// The ledger has both objects from the start of the apply.
func (w *World) Supersede(n *Node, why string) {
	e := ledger.Entry{Kind: n.Kind().Name, Collection: n.coll.String(), Key: KeyTitle(n.live), ID: n.live.ID}
	if n.entry != nil {
		e = *n.entry
		e.ReplacedFor = addr.Instance{} // this replaces it
	}
	at := n.want.Addr.Depose(n.live.ID)
	for _, old := range []addr.Instance{n.want.Addr, n.from} {
		if _, ok := w.Ledger.Entries[old]; ok {
			w.rewrites = append(w.rewrites, w.Ledger.Remove(old))
		}
	}
	w.rewrites = append(w.rewrites, w.Ledger.Set(at, e))
	delete(w.claimed, IdentityOf(n.Kind(), n.coll, n.live.ID))
	n.entry, n.from, n.live, n.status = nil, addr.Instance{}, schema.Object{}, Pending
	n.superseded, n.note = at, "replaces "+at.String()+": "+why
}
