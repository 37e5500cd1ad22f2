package reconcile

import (
	"slices"
	"sync"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/schema"
)

// A list is answered once, for the planned world. While the instances of a block
// are not known it may still declare what the list is of, so the list waits for
// it: unless the block itself is made of the list, or nothing else happens any
// more.

// patience is what the waiting of lists goes by.
type patience struct {
	uses    func() map[addr.Block][]addr.Block // what each block refers to; modules without keys
	waiting bool                               // a list waits
	over    bool                               // the next that can be answered waits no longer
}

// uses returns what each block of a configuration refers to, once somebody asks.
func uses(cfg *config.Config) func() map[addr.Block][]addr.Block {
	return sync.OnceValue(func() map[addr.Block][]addr.Block {
		out := map[addr.Block][]addr.Block{}
		for _, d := range cfg.Dependencies() {
			out[d.Block] = d.Needs
		}
		return out
	})
}

// unopened tells whether a list has to wait for a block.
func (w *world) unopened(s *source) bool {
	if w.patience.over {
		return false
	}
	for b := range w.blockedIn {
		if w.mayDeclare(b.Unkeyed(), s) {
			w.patience.waiting = true
			return true
		}
	}
	return false
}

// mayDeclare tells whether a block, or one in a module, declares what a list is
// of, and is not made of the list.
func (w *world) mayDeclare(b addr.Block, s *source) bool {
	of, uses := w.kind(s.data().Of), w.patience.uses()
	declares := func(at addr.Block) bool {
		block := w.block(at)
		return block != nil && makes(block.Kind, of) && !leads(uses, at, s.want.Addr.Unkeyed(), map[addr.Block]bool{})
	}
	if !b.IsCall() {
		return declares(b)
	}
	for at := range uses {
		if b.Contains(at) && declares(at) {
			return true
		}
	}
	return false
}

// makes tells whether blocks of a kind declare objects of another.
func makes(k, of *schema.Kind) bool {
	return k == of || k.Set != nil && k.Set.Element == of.Name
}

// leads tells whether a block refers to another, itself or through others.
func leads(uses map[addr.Block][]addr.Block, from, to addr.Block, seen map[addr.Block]bool) bool {
	if seen[from] {
		return false
	}
	seen[from] = true
	return slices.Contains(uses[from], to) || slices.ContainsFunc(uses[from], func(b addr.Block) bool { return leads(uses, b, to, seen) })
}

// hurry answers one of the lists that still wait, where nothing is news that could
// open what they wait for. It returns whether there is something to read for that.
func (w *world) hurry() bool {
	if !w.patience.waiting || len(w.news) > 0 {
		return false
	}
	w.patience.over, w.patience.waiting = true, false
	w.advance()
	w.patience.over = false
	return !w.wave.empty()
}
