package data

import (
	"slices"

	"hew/reconcile/addr"
	"hew/schema"
)

// A list is answered once, for the planned world. While the instances of a block
// are not known it may still declare what the list is of, so the list waits for
// it: unless the block itself is made of the list, or nothing else happens any
// more.

// StopWaiting answers one of the lists that still wait, where nothing is news
// that could open what they wait for; advance is the next step of the run. It
// reports whether there is something to read for that.
func (s *Sources) StopWaiting(advance func()) bool {
	if !s.waiting || s.world.HasStale() {
		return false
	}
	s.noWait, s.waiting = true, false
	advance()
	s.noWait = false
	return s.world.WantsReading()
}

// mustWait reports whether a list has to wait for a block.
func (s *Sources) mustWait(n *source) bool {
	if s.noWait {
		return false
	}
	for b := range s.world.BlockedBlocks() {
		if s.mayDeclare(b.Unkeyed(), n) {
			s.waiting = true
			return true
		}
	}
	return false
}

// mayDeclare reports whether a block, or one in a module, declares what a list is
// of, and is not made of the list.
func (s *Sources) mayDeclare(b addr.Block, n *source) bool {
	of, uses := s.world.Kind(n.Query().Of), s.world.Uses()
	declares := func(at addr.Block) bool {
		block := s.world.Block(at)
		return block != nil && declaresKind(block.Kind, of) &&
			!refersTo(uses, at, n.Addr().Unkeyed(), map[addr.Block]bool{})
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

// declaresKind reports whether blocks of a kind declare objects of another.
func declaresKind(k, of *schema.Kind) bool {
	return k == of || k.Set != nil && k.Set.Element == of.Name
}

// refersTo reports whether a block refers to another, itself or through others.
func refersTo(uses map[addr.Block][]addr.Block, from, to addr.Block, seen map[addr.Block]bool) bool {
	if seen[from] {
		return false
	}
	seen[from] = true
	return slices.Contains(uses[from], to) ||
		slices.ContainsFunc(uses[from], func(b addr.Block) bool { return refersTo(uses, b, to, seen) })
}
