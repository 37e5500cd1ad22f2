package match

import (
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/ledger"
	"hew/schema"
)

// regroupElements gives elements that are left over from a set the addresses of the set that goes:
// when the group of a set is dropped from a list, its other elements have gone to that address, or
// the group itself has. It reports whether there were any.
func (w *World) regroupElements() (any bool) {
	var left []addr.Instance
	for at, e := range w.Ledger.Entries {
		if at.Elem != "" && w.nodes[at] == nil && w.isLeftBehind(at, e) {
			left = append(left, at)
		}
	}
	slices.SortFunc(left, addr.Instance.Compare)
	for _, at := range left {
		e, to := w.Ledger.Entries[at], at
		to.Key = w.droppedKey(at, collectionOf(e.Collection).Path)
		if _, taken := w.Ledger.Entries[to]; taken || to == at {
			continue
		}
		w.rewrites = append(w.rewrites, w.Ledger.Set(to, e), w.Ledger.Remove(at))
		w.recordTaking(to, at)
		delete(w.orphans, at)
		w.MarkStale(at.Block) // the scope depends on the address
		any = true
	}
	return any
}

// droppedKey returns the key of the instance of a set whose collection is the given one and that no
// block declares any more, or else the key of the element.
func (w *World) droppedKey(of addr.Instance, collection string) string {
	owner := ""
	if k := w.Kinds.Resource(of.Kind); k != nil && k.Set != nil {
		element := w.Kind(k.Set.Element)
		owner = OwnerID(element, collectionOf(w.Ledger.Entries[of].Collection))
	}
	for at, e := range w.Ledger.Entries {
		k := w.Kinds.Resource(e.Kind)
		isPeer := at.Block == of.Block && at.Elem != "" && collectionOf(e.Collection).Path == collection
		isOwner := k != nil && k.Tree != nil && owner != "" && e.ID == owner
		if at.Key != of.Key && (isPeer || isOwner) && !w.hasInstance(of.Block, at.Key) {
			return at.Key
		}
	}
	return of.Key
}

// hasInstance reports whether a block declares an instance with a key.
func (w *World) hasInstance(b addr.Block, key string) bool {
	return slices.ContainsFunc(w.instances[b], func(a addr.Instance) bool { return a.Key == key })
}

// isLeftBehind reports whether an element in the ledger is in another collection than its set,
// which is declared for another group now.
func (w *World) isLeftBehind(at addr.Instance, e ledger.Entry) bool {
	return at.Elem != "" && !at.Deposed() &&
		slices.ContainsFunc(w.instances[at.Block], func(of addr.Instance) bool {
			n := w.nodes[of]
			return n != nil && of.Key == at.Key && n.located && n.coll.Path != collectionOf(e.Collection).Path
		})
}

// mayExchange reports whether a group or project was applied under another name than it declares,
// so that its ledger entry may be that of a peer.
func (w *World) mayExchange(n *Node) bool {
	was, _ := appliedKeyOf(n.Kind(), n.entry)
	return !strings.EqualFold(was.text, schema.Text(n.want.Object.Get(n.Kind().Tree.Segment))) && w.hasPeers(n)
}

// withRegrouped returns addresses, and for each element that neither a block nor the ledger has the
// left over elements of other instances of its set: the plan may give it the address of one of
// those.
func (w *World) withRegrouped(list []addr.Instance) []addr.Instance {
	out := slices.Clone(list)
	for _, a := range list {
		if _, there := w.Ledger.Entries[a]; there || a.Elem == "" || a.Deposed() || w.nodes[a] != nil {
			continue
		}
		for at := range w.Ledger.Entries {
			if at.Block == a.Block && at.Elem == a.Elem && w.nodes[at] == nil {
				out = append(out, at)
			}
		}
	}
	return out
}
