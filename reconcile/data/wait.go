package data

import (
	"slices"

	"hew/reconcile/addr"
	"hew/schema"
)

// A list is answered once, for the planned world. While the instances of a block are unknown, the
// block may still declare objects of the list, so the list waits for it. It does not wait for a
// block that depends on the list, or when nothing else can proceed.

// StopWaiting answers one of the waiting lists when nothing else can proceed. advance is the next
// step of the run. It reports whether that requires a read.
func (s *Sources) StopWaiting(advance func()) bool { return s.deferral.StopWaiting(s.world, advance) }

// mustWait reports whether a list has to wait for a block.
func (s *Sources) mustWait(n *source) bool {
	for b := range s.world.BlockedBlocks() {
		if s.mayDeclare(b.WithoutKeys(), n) {
			return s.deferral.Wait()
		}
	}
	return false
}

// mayDeclare reports whether a block, or one in a module call, may declare objects of a list
// without depending on the list.
func (s *Sources) mayDeclare(b addr.Block, n *source) bool {
	of, uses := s.world.Kind(n.Query().Of), s.world.Uses()
	declares := func(at addr.Block) bool {
		block := s.world.Block(at)
		return block != nil && declaresKind(block.Kind, of) &&
			!refersTo(uses, at, n.Addr().WithoutKeys(), map[addr.Block]bool{})
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

// declaresKind reports whether blocks of kind k declare objects of kind of.
func declaresKind(k, of *schema.Kind) bool {
	return k == of || k.Set != nil && k.Set.Element == of.Name
}

// refersTo reports whether a block refers to another, directly or through others.
func refersTo(uses map[addr.Block][]addr.Block, from, to addr.Block, seen map[addr.Block]bool) bool {
	if seen[from] {
		return false
	}
	seen[from] = true
	return slices.Contains(uses[from], to) ||
		slices.ContainsFunc(uses[from], func(b addr.Block) bool { return refersTo(uses, b, to, seen) })
}
