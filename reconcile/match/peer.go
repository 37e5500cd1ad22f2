package match

import (
	"slices"

	"hew/reconcile/addr"
	"hew/schema"
)

// peerGroup identifies a group of peers: a block without instance keys, or the blocks of a kind in
// all modules. The elements of sets are peers within their block.
func peerGroup(k *schema.Kind, at addr.Instance) addr.Block {
	if key := k.Match.Keys; k.Tree == nil && at.Elem == "" && len(key) > 0 && k.Attr(key[0]).ForceNew {
		return addr.Block{Mode: at.Mode, Kind: at.Kind}
	}
	return at.WithoutKeys()
}

// groupPeers groups the nodes of an evaluation, in file order, and the addresses in the ledger.
func (w *World) groupPeers() {
	if w.peers == nil {
		w.peers, w.allLocated = map[addr.Block][]*Node{}, map[addr.Block]bool{}
		for _, n := range w.all {
			n.group = peerGroup(n.Kind(), n.want.Addr)
			w.peers[n.group] = append(w.peers[n.group], n)
		}
	}
	if w.managed == nil {
		w.managed = map[addr.Block][]addr.Instance{}
		for at, e := range w.Ledger.Entries {
			if k := w.Kinds.Resource(e.Kind); k != nil {
				b := peerGroup(k, at)
				w.managed[b] = append(w.managed[b], at)
			}
		}
	}
}

// hasPeers reports whether another address in n's group of peers is declared or in the ledger.
func (w *World) hasPeers(n *Node) bool {
	w.groupPeers()
	return len(w.peers[n.group]) > 1 ||
		slices.ContainsFunc(w.managed[n.group], func(at addr.Instance) bool { return at != n.want.Addr })
}

// arePeers reports whether an address is in n's group of peers.
func (w *World) arePeers(n *Node, at addr.Instance) bool {
	return !at.Deposed() && peerGroup(n.Kind(), at) == n.group
}

// locatePeers locates n's peers, so that their keys are claimed. It returns false while one of them
// has to be read, unless nothing else is left to read, and if n turns out to be a duplicate.
func (w *World) locatePeers(n *Node, depth int) bool {
	all := true
	for _, p := range w.peers[n.group] {
		if w.allLocated[n.group] {
			break // locate has done it, on the way to an owner that is a peer
		}
		if p.located && p.knowsKey() || p.status != Pending {
			continue
		}
		w.Resolve(&p.Declaration)
		if (!w.locate(p, depth+1) || !p.knowsKey()) && p.status == Pending {
			all = false
		}
	}
	w.allLocated[n.group] = all
	if !all && w.peerDeferral.Wait() {
		return false
	}
	return n.status == Pending
}

// StopWaiting matches the nodes that wait for peers that cannot be located before the apply. It
// returns false if there are none, or if nothing has to be read for them.
func (w *World) StopWaiting(advance func()) bool { return w.peerDeferral.StopWaiting(w, advance) }
