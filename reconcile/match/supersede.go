package match

import (
	"fmt"

	"hew/reconcile/addr"
	"hew/reconcile/ledger"
	"hew/schema"
)

// KeyConflict returns why a new object cannot be beside the old one, "" where it
// can. by is the object whose block says that the new one comes first.
func (n *Node) KeyConflict(by addr.Instance) string {
	a, v, ok := Key(n.want.Object)
	if !ok || !a.Equal(v, n.live.Get(a.Name)) {
		return ""
	}
	whose := "create_before_destroy"
	if by != n.want.Addr {
		whose = fmt.Sprintf("create_before_destroy of %s, which needs it", by)
	}
	return fmt.Sprintf("the new one would be created before the old one goes (%s), and the two have the same %s, %s; "+
		"give it another one, or take create_before_destroy away",
		whose, n.want.Written(a.Name), showKey(v))
}

// Supersede makes room for a new object beside the live one, which goes later
// under an address of its own. The ledger has both from the start of the apply.
func (w *World) Supersede(n *Node, why string) {
	e := ledger.Entry{Kind: n.Kind().Name, Collection: n.coll.String(), Key: KeyTitle(n.live), ID: n.live.ID}
	if n.entry != nil {
		e = *n.entry
		e.Due = addr.Instance{} // this is the replacement
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
	n.superseded, n.note = at, "in place of "+at.String()+": "+why
}
